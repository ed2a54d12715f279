// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.relational.Expression.Arithmetic;
import dev.anemone.ir.relational.Expression.Case;
import dev.anemone.ir.relational.Expression.Cast;
import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Expression.Comparison;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExpressionTyperTest {

  private static final RowType ROW =
      RowType.of(
          Field.required("id", SimpleType.INT64),
          Field.nullable("count", SimpleType.INT32),
          Field.nullable("price", new DecimalType(15, 2)),
          Field.nullable("wide", new DecimalType(38, 20)),
          Field.nullable("ratio", SimpleType.DOUBLE),
          Field.nullable("day", SimpleType.DATE),
          Field.nullable("name", SimpleType.STRING),
          Field.nullable("done", SimpleType.BOOLEAN));

  private static final ExpressionTyper TYPER = new ExpressionTyper(ROW);

  @Test
  void arithmeticOfDecimalsKeepsAllDigits() {
    assertThat(typeOf(arithmetic("price", "+", Literal.of(new BigDecimal("1")))))
        .hasToString("decimal(16,2)");
    assertThat(typeOf(arithmetic("price", "*", new Column("price")))).hasToString("decimal(30,4)");
    assertThat(typeOf(arithmetic("wide", "+", new Column("price")))).hasToString("decimal(38,20)");
  }

  @Test
  void nullComesOfNullOnly() {
    assertThat(typeOf(compare("id", Literal.of(1L)))).hasToString("boolean not null");
    assertThat(typeOf(compare("count", Literal.of(1)))).hasToString("boolean");
    assertThat(typeOf(new Expression.IsNull(new Column("count")))).hasToString("boolean not null");
    assertThat(typeOf(compare("id", Literal.nullOf(SimpleType.INT64)))).hasToString("boolean");
    Case.Branch branch = new Case.Branch(new Column("done"), new Column("id"));
    assertThat(typeOf(new Case(List.of(branch), Optional.empty()))).hasToString("int64");
    assertThat(typeOf(new Case(List.of(branch), Optional.of(Literal.of(1L)))))
        .hasToString("int64 not null");
  }

  @Test
  void whatHasNoTypeIsRefusedWithTheReason() {
    refused(new Column("prize"), "no column prize; there are id, count, price");
    refused(compare("id", Literal.of(1)), "(id = 1) compares a int64 with a int32; cast one side");
    refused(compare("name", Literal.of(1)), "compares a string with a int32");
    refused(
        compare("wide", Literal.of(new BigDecimal("1234567890123456789"))),
        "39 digits would be needed");
    refused(arithmetic("count", "+", new Column("id")), "two numbers of the same type");
    refused(arithmetic("name", "+", new Column("name")), "combines a string with a string");
    refused(arithmetic("price", "/", new Column("price")), "cast both to double");
    refused(arithmetic("ratio", "%", new Column("ratio")), "whole numbers are needed");
    refused(arithmetic("wide", "*", new Column("wide")), "40 digits after the point");
    refused(new Cast(new Column("name"), SimpleType.INT32), "engines do in different ways");
    refused(new Cast(new Column("ratio"), SimpleType.INT64), "engines do in different ways");
    refused(new Expression.Not(new Column("name")), "name is a string where a condition");
    refused(new Expression.Like(new Column("id"), "%", Optional.empty()), "pattern in a int64");
    refused(
        new Comparison(Comparison.Relation.LESS, new Column("done"), new Column("done")),
        "orders booleans");
    refused(
        new Expression.DateAdd(new Column("day"), 1, Expression.DateAdd.Unit.HOUR),
        "less than a day; cast it to timestamp");
    refused(
        new Expression.In(new Column("id"), List.of(Literal.of(1L), Literal.of("x"))),
        "compares a int64 with a string");
    refused(
        new Case(
            List.of(
                new Case.Branch(new Column("done"), new Column("id")),
                new Case.Branch(new Column("done"), new Column("name"))),
            Optional.empty()),
        "gives a int64 here and a string there");
  }

  @Test
  void depthIsLimited() {
    Expression deepest = nots(Expression.MAX_DEPTH);
    assertThat(typeOf(deepest)).hasToString("boolean");
    refused(nots(Expression.MAX_DEPTH + 1), "nested deeper than 64 levels");
  }

  @Test
  void whatCannotBeBuiltIsRefusedAtOnce() {
    assertThatThrownBy(() -> new DecimalType(39, 0)).hasMessageContaining("1 to 38");
    assertThatThrownBy(() -> new Expression.Like(new Column("name"), "a!b", Optional.of('!')))
        .isInstanceOf(InvalidPlanException.class)
        .hasMessageContaining("stands before neither");
    assertThatThrownBy(
            () -> new Expression.In(new Column("id"), List.of(Literal.nullOf(SimpleType.INT64))))
        .hasMessageContaining("none may be null");
    assertThatThrownBy(() -> new Expression.And(List.of(new Column("done"))))
        .hasMessageContaining("two at least");
    assertThatThrownBy(() -> Literal.of(new DecimalType(4, 2), new BigDecimal("123.45")))
        .hasMessageContaining("does not fit into a decimal(4,2)");
    assertThatThrownBy(() -> Literal.of("\ud800")).hasMessageContaining("texts Unicode");
    assertThatThrownBy(() -> Literal.parse(SimpleType.INT32, "+5"))
        .hasMessageContaining("one written form");
    assertThatThrownBy(() -> Literal.parse(SimpleType.DATE, "1994-02-30"))
        .hasMessageContaining("one written form");
    assertThatThrownBy(() -> Literal.parse(SimpleType.DOUBLE, "0x1p3"))
        .hasMessageContaining("one written form");
    assertThatThrownBy(() -> Literal.parse(new DecimalType(5, 2), "1.5"))
        .hasMessageContaining("one written form");
  }

  private static Expression nots(int depth) {
    Expression expression = new Column("done");
    for (int i = 1; i < depth; i++) {
      expression = new Expression.Not(expression);
    }
    return expression;
  }

  private static Expression compare(String column, Expression right) {
    return new Comparison(Comparison.Relation.EQUAL, new Column(column), right);
  }

  private static Expression arithmetic(String column, String symbol, Expression right) {
    for (Arithmetic.Operator operator : Arithmetic.Operator.values()) {
      if (operator.symbol().equals(symbol)) {
        return new Arithmetic(operator, new Column(column), right);
      }
    }
    throw new IllegalArgumentException(symbol);
  }

  private static ValueType typeOf(Expression expression) {
    return TYPER.typeOf(expression);
  }

  private static void refused(Expression expression, String reason) {
    assertThatThrownBy(() -> TYPER.typeOf(expression))
        .isInstanceOf(InvalidPlanException.class)
        .hasMessageContaining(reason);
  }
}
