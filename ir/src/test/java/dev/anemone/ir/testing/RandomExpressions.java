// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.testing;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Arithmetic;
import dev.anemone.ir.relational.Expression.Case;
import dev.anemone.ir.relational.Expression.Cast;
import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Expression.DateAdd;
import dev.anemone.ir.relational.Expression.Extract;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Well-typed expressions at random. */
final class RandomExpressions {

  private static final String[] PATTERNS = {
    "%", "a%", "%b", "_", "a!%b", "%a%", "a_b", "__", "", "!_", "it's", "!!%", "%😀", "a\\%"
  };

  private final Random random;
  private final RandomValues values;

  RandomExpressions(Random random) {
    this.random = random;
    this.values = new RandomValues(random);
  }

  /** An expression of a column's type, or of another that follows. */
  Expression ofAnyType(RowType row, int depth) {
    Field field = row.fields().get(random.nextInt(row.fields().size()));
    if (field.type().type() instanceof DecimalType decimal) {
      return decimal(decimal, row, depth);
    }
    return random.nextInt(4) == 0
        ? of(oneOf(SimpleType.values()), row, depth)
        : of(field.type().type(), row, depth);
  }

  Expression of(DataType type, RowType row, int depth) {
    if (depth <= 1 || random.nextInt(5) == 0 || type instanceof DecimalType) {
      return leaf(type, row);
    }
    if (random.nextInt(8) == 0) {
      return choice(type, row, depth - 1);
    }
    int below = depth - 1;
    return switch ((SimpleType) type) {
      case BOOLEAN -> condition(row, below);
      case INT32 ->
          random.nextInt(6) == 0
              ? new Cast(of(SimpleType.INT64, row, below), type)
              : arithmetic(type, row, below);
      case INT64 -> int64(row, below);
      case DOUBLE -> real(row, below);
      case DATE ->
          random.nextInt(4) == 0
              ? new Cast(of(SimpleType.TIMESTAMP, row, below), type)
              : new DateAdd(
                  of(type, row, below),
                  random.nextInt(41) - 20,
                  List.of(DateAdd.Unit.DAY, DateAdd.Unit.MONTH, DateAdd.Unit.YEAR)
                      .get(random.nextInt(3)));
      case TIMESTAMP ->
          random.nextInt(4) == 0
              ? new Cast(of(SimpleType.DATE, row, below), type)
              : new DateAdd(
                  of(type, row, below), random.nextInt(41) - 20, oneOf(DateAdd.Unit.values()));
      case STRING -> new Cast(text(row, below), type);
    };
  }

  private Expression text(RowType row, int depth) {
    return switch (random.nextInt(5)) {
      case 0 -> of(SimpleType.INT32, row, depth);
      case 1 -> of(SimpleType.INT64, row, depth);
      case 2 -> of(SimpleType.DATE, row, depth);
      case 3 -> of(SimpleType.BOOLEAN, row, depth);
      default -> decimal(new DecimalType(7, 2), row, depth);
    };
  }

  private Expression leaf(DataType type, RowType row) {
    List<Expression> columns = new ArrayList<>();
    for (Field field : row.fields()) {
      if (field.type().type().equals(type)) {
        columns.add(new Column(field.name()));
      }
    }
    if (!columns.isEmpty() && random.nextInt(4) != 0) {
      return columns.get(random.nextInt(columns.size()));
    }
    return random.nextInt(10) == 0 ? Literal.nullOf(type) : literal(type);
  }

  private Literal literal(DataType type) {
    return Literal.of(type, values.of(type));
  }

  private Expression condition(RowType row, int depth) {
    return switch (random.nextInt(9)) {
      case 0 -> new Expression.And(conditions(row, depth));
      case 1 -> new Expression.Or(conditions(row, depth));
      case 2 -> new Expression.Not(of(SimpleType.BOOLEAN, row, depth));
      case 3 -> new Expression.IsNull(ofAnyType(row, depth));
      case 4 ->
          new Expression.Like(
              of(SimpleType.STRING, row, depth),
              PATTERNS[random.nextInt(PATTERNS.length)],
              Optional.of('!'));
      case 5 -> {
        DataType type = comparable();
        yield new Expression.Between(
            of(type, row, depth), of(type, row, depth), of(type, row, depth));
      }
      case 6 -> {
        DataType type = comparable();
        yield new Expression.In(
            of(type, row, depth), List.of(literal(type), literal(type), literal(type)));
      }
      case 7 ->
          new Comparison(
              comparison(),
              decimal(new DecimalType(7, 2), row, depth),
              decimal(new DecimalType(9, 1), row, depth));
      default -> {
        DataType type = comparable();
        yield new Comparison(comparison(), of(type, row, depth), of(type, row, depth));
      }
    };
  }

  private List<Expression> conditions(RowType row, int depth) {
    List<Expression> operands = new ArrayList<>();
    int count = 2 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      operands.add(of(SimpleType.BOOLEAN, row, depth));
    }
    return operands;
  }

  private DataType comparable() {
    SimpleType type = oneOf(SimpleType.values());
    return type == SimpleType.BOOLEAN ? new DecimalType(7, 2) : type;
  }

  private Comparison.Relation comparison() {
    return oneOf(Comparison.Relation.values());
  }

  private Expression choice(DataType type, RowType row, int depth) {
    List<Case.Branch> branches = new ArrayList<>();
    int count = 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      branches.add(new Case.Branch(of(SimpleType.BOOLEAN, row, depth), of(type, row, depth)));
    }
    return new Case(
        branches, random.nextBoolean() ? Optional.of(of(type, row, depth)) : Optional.empty());
  }

  private Expression int64(RowType row, int depth) {
    return switch (random.nextInt(5)) {
      case 0 -> new Cast(of(SimpleType.INT32, row, depth), SimpleType.INT64);
      case 1 ->
          new Extract(
              oneOf(Extract.Part.values()),
              of(random.nextBoolean() ? SimpleType.DATE : SimpleType.TIMESTAMP, row, depth));
      case 2 ->
          new Expression.DaysBetween(
              of(SimpleType.DATE, row, depth), of(SimpleType.DATE, row, depth));
      default -> arithmetic(SimpleType.INT64, row, depth);
    };
  }

  /** Sums of anything; products and quotients with small numbers that are not zero. */
  private Expression arithmetic(DataType type, RowType row, int depth) {
    Expression left = of(type, row, depth);
    Arithmetic.Operator operator = oneOf(Arithmetic.Operator.values());
    return switch (operator) {
      case ADD, SUBTRACT -> new Arithmetic(operator, left, of(type, row, depth));
      case MULTIPLY, DIVIDE, REMAINDER -> {
        int number = (1 + random.nextInt(9)) * (random.nextBoolean() ? 1 : -1);
        yield new Arithmetic(
            operator,
            left,
            type == SimpleType.INT32 ? Literal.of(number) : Literal.of((long) number));
      }
    };
  }

  private Expression real(RowType row, int depth) {
    return switch (random.nextInt(5)) {
      case 0 -> new Cast(of(SimpleType.INT64, row, depth), SimpleType.DOUBLE);
      case 1 -> new Cast(decimal(new DecimalType(7, 0), row, depth), SimpleType.DOUBLE);
      case 2 ->
          new Arithmetic(
              Arithmetic.Operator.DIVIDE, of(SimpleType.DOUBLE, row, depth), Literal.of(-4.0));
      default ->
          new Arithmetic(
              random.nextBoolean() ? Arithmetic.Operator.ADD : Arithmetic.Operator.SUBTRACT,
              of(SimpleType.DOUBLE, row, depth),
              of(SimpleType.DOUBLE, row, depth));
    };
  }

  /** A decimal of this type, or of one that follows from arithmetic with it. */
  private Expression decimal(DecimalType type, RowType row, int depth) {
    if (depth <= 1) {
      return leaf(type, row);
    }
    return switch (random.nextInt(6)) {
      case 0 -> leaf(type, row);
      case 1 -> choice(type, row, depth - 1);
      case 2 -> new Cast(of(SimpleType.INT64, row, depth - 1), new DecimalType(20, 1));
      case 3 -> new Cast(decimal(type, row, depth - 1), new DecimalType(30, 1)); // rounds
      default -> {
        Expression left = leaf(type, row);
        Expression right = leaf(new DecimalType(6, 2), row);
        yield new Arithmetic(exact(), left, right);
      }
    };
  }

  private Arithmetic.Operator exact() {
    return List.of(
            Arithmetic.Operator.ADD, Arithmetic.Operator.SUBTRACT, Arithmetic.Operator.MULTIPLY)
        .get(random.nextInt(3));
  }

  private <T> T oneOf(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
