// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.sql.ndp.SqlRows;
import dev.anemone.beam.sql.ndp.UnsupportedExpressionException;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Arithmetic;
import dev.anemone.ir.relational.Expression.Case;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.ScalarFunction;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.query.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;

/**
 * Says an aggregation in the relational IR: a projection of what is aggregated, in types that hold
 * its sums; the aggregate; and a projection of what becomes of it, in the types of the planner.
 *
 * <pre>
 * before:  Aggregate(g; AVG(i))
 * after:   project(g, case when n = 0 then null else double(s) / double(n))
 *            aggregate(g; sum(d) as s, count(d) as n)
 *              project(g, decimal(i) as d)
 * </pre>
 */
final class AggregateConverter {

  private static final DecimalType INT64_DIGITS = new DecimalType(19, 0);

  private final Aggregate aggregate;
  private final Relation input;
  private final List<NamedExpression> arguments = new ArrayList<>();
  private final List<AggregateCall> calls = new ArrayList<>();
  private final List<Expression> results = new ArrayList<>();

  AggregateConverter(Aggregate aggregate, Relation input) {
    this.aggregate = aggregate;
    this.input = input;
  }

  /**
   * The aggregation as relations.
   *
   * @throws UnsupportedExpressionException when it has a function that cannot be said
   */
  Relation relation() throws UnsupportedExpressionException {
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE) {
      throw new UnsupportedExpressionException("grouping sets");
    }
    List<String> keys = new ArrayList<>();
    for (int column : aggregate.getGroupSet()) {
      String name = "g" + keys.size();
      keys.add(name);
      arguments.add(new NamedExpression(name, column(column)));
      results.add(new Expression.Column(name));
    }
    for (var call : aggregate.getAggCallList()) {
      results.add(result(call));
    }
    Relation arranged =
        arguments.isEmpty()
            ? input
            : Relation.Step.of(new RelationalOperator.Project(arguments), input);
    Relation aggregated =
        Relation.Step.of(RelationalOperator.Aggregate.complete(keys, calls), arranged);
    List<NamedExpression> columns = new ArrayList<>();
    for (Expression result : results) {
      columns.add(new NamedExpression("a" + columns.size(), result));
    }
    return Relation.Step.of(new RelationalOperator.Project(columns), aggregated);
  }

  private Expression column(int index) {
    return new Expression.Column(input.row().fields().get(index).name());
  }

  private Expression result(
      org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.AggregateCall call)
      throws UnsupportedExpressionException {
    boolean plain =
        !call.isDistinct()
            && !call.isApproximate()
            && !call.ignoreNulls()
            && call.filterArg < 0
            && call.distinctKeys == null
            && call.getCollation().getFieldCollations().isEmpty()
            && call.rexList.isEmpty()
            && call.getArgList().size() <= 1;
    if (!plain) {
      throw new UnsupportedExpressionException("the aggregate " + call);
    }
    if (call.getArgList().isEmpty()) {
      return add(AggregateCall.countRows("f" + calls.size()));
    }
    Field argument = input.row().fields().get(call.getArgList().get(0));
    Expression value = new Expression.Column(argument.name());
    DataType type = argument.type().type();
    return switch (call.getAggregation().getKind()) {
      case COUNT -> added(AggregateFunction.COUNT, value);
      case MIN -> added(AggregateFunction.MIN, value);
      case MAX -> added(AggregateFunction.MAX, value);
      case SINGLE_VALUE -> added(AggregateFunction.SINGLE_VALUE, value);
      case SUM -> sum(value, type, call.getType());
      case SUM0 -> orZero(sum(value, type, call.getType()), call.getType());
      case AVG -> average(value, type, call.getType());
      default -> throw new UnsupportedExpressionException("the aggregate " + call);
    };
  }

  private Expression sum(Expression value, DataType type, RelDataType result)
      throws UnsupportedExpressionException {
    Expression sum = added(AggregateFunction.SUM, value);
    DataType wanted = SqlRows.simple(result);
    if (wanted == null) {
      return type instanceof DecimalType ? sum : unsupported("SUM", type, result);
    }
    if (wanted == SimpleType.INT32 && type == SimpleType.INT32) {
      return new Expression.Cast(sum, SimpleType.INT32);
    }
    boolean same =
        wanted == SimpleType.DOUBLE
            ? type == SimpleType.DOUBLE
            : wanted == SimpleType.INT64 && (type == SimpleType.INT32 || type == SimpleType.INT64);
    return same ? sum : unsupported("SUM", type, result);
  }

  private static Expression orZero(Expression sum, RelDataType result)
      throws UnsupportedExpressionException {
    DataType type = SqlRows.simple(result);
    if (type != SimpleType.INT64) {
      throw new UnsupportedExpressionException("a sum of nothing that is 0, as " + result);
    }
    return new Case(
        List.of(new Case.Branch(new Expression.IsNull(sum), Literal.of(0L))), Optional.of(sum));
  }

  private Expression average(Expression value, DataType type, RelDataType result)
      throws UnsupportedExpressionException {
    DataType wanted = SqlRows.simple(result);
    if (type == SimpleType.DOUBLE && wanted == SimpleType.DOUBLE) {
      return added(AggregateFunction.AVG, value);
    }
    boolean whole = type == SimpleType.INT32 || type == SimpleType.INT64;
    if (whole && wanted == SimpleType.DOUBLE) {
      Expression exact = new Expression.Cast(value, INT64_DIGITS);
      Expression sum = added(AggregateFunction.SUM, exact);
      Expression count = added(AggregateFunction.COUNT, exact);
      return new Case(
          List.of(
              new Case.Branch(
                  new Expression.Not(new Expression.IsNull(sum)),
                  new Arithmetic(
                      Arithmetic.Operator.DIVIDE,
                      new Expression.Cast(sum, SimpleType.DOUBLE),
                      new Expression.Cast(count, SimpleType.DOUBLE)))),
          Optional.empty());
    }
    if (type instanceof DecimalType && wanted == null) {
      return Expression.Call.of(
          ScalarFunction.QUOTIENT,
          added(AggregateFunction.SUM, value),
          new Expression.Cast(added(AggregateFunction.COUNT, value), INT64_DIGITS));
    }
    return unsupported("AVG", type, result);
  }

  private static Expression unsupported(String function, DataType type, RelDataType result)
      throws UnsupportedExpressionException {
    throw new UnsupportedExpressionException(function + " of " + type + " as " + result);
  }

  /** The result of a function of a value; one that is there already is used again. */
  private Expression added(AggregateFunction function, Expression value) {
    String argument =
        arguments.stream()
            .filter(known -> known.expression().equals(value))
            .map(NamedExpression::name)
            .findFirst()
            .orElseGet(
                () -> {
                  String name = "v" + arguments.size();
                  arguments.add(new NamedExpression(name, value));
                  return name;
                });
    return calls.stream()
        .filter(
            known -> known.function() == function && known.column().equals(Optional.of(argument)))
        .map(known -> (Expression) new Expression.Column(known.name()))
        .findFirst()
        .orElseGet(() -> add(AggregateCall.of("f" + calls.size(), function, argument)));
  }

  private Expression add(AggregateCall call) {
    calls.add(call);
    return new Expression.Column(call.name());
  }
}
