// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.sql.ndp.SqlRows;
import dev.anemone.beam.sql.ndp.UnsupportedExpressionException;
import dev.anemone.beam.sql.validate.QuantileFunction;
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
import dev.anemone.ir.relational.query.SpreadFunction;
import dev.anemone.ir.relational.query.Statistic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;

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
  private final List<Relation.GroupedCall> calls = new ArrayList<>();
  private final List<Relation.Level> levels = new ArrayList<>();
  private final List<Statistic> statistics = new ArrayList<>();
  private final List<Expression> results = new ArrayList<>();

  /** Of the call that is said now. */
  private boolean distinct;

  private Optional<String> filter = Optional.empty();

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
    Relation aggregated = aggregated(keys, arranged);
    List<NamedExpression> columns = new ArrayList<>();
    for (Expression result : results) {
      columns.add(new NamedExpression("a" + columns.size(), result));
    }
    return Relation.Step.of(new RelationalOperator.Project(columns), aggregated);
  }

  private Relation aggregated(List<String> keys, Relation arranged) {
    boolean plain =
        aggregate.getGroupType() == Aggregate.Group.SIMPLE
            && levels.isEmpty()
            && statistics.isEmpty()
            && calls.stream().noneMatch(call -> call.distinct() || call.filter().isPresent());
    if (plain) {
      return Relation.Step.of(
          RelationalOperator.Aggregate.complete(
              keys, calls.stream().map(Relation.GroupedCall::call).toList()),
          arranged);
    }
    List<List<String>> sets = new ArrayList<>();
    for (ImmutableBitSet set : aggregate.getGroupSets()) {
      sets.add(names(set.asList()));
    }
    return new Relation.Grouped(arranged, keys, sets, calls, levels, statistics);
  }

  /** The names of some columns that are grouped by. */
  private List<String> names(List<Integer> columns) {
    List<Integer> keys = aggregate.getGroupSet().asList();
    return columns.stream().map(column -> "g" + keys.indexOf(column)).toList();
  }

  private Expression column(int index) {
    return new Expression.Column(input.row().fields().get(index).name());
  }

  private Expression result(
      org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.AggregateCall call)
      throws UnsupportedExpressionException {
    boolean plain =
        !call.isApproximate()
            && !call.ignoreNulls()
            && call.distinctKeys == null
            && call.getCollation().getFieldCollations().isEmpty()
            && call.rexList.isEmpty();
    SqlKind kind = call.getAggregation().getKind();
    if (plain && kind == SqlKind.GROUPING) {
      String name = "l" + levels.size();
      levels.add(new Relation.Level(name, names(call.getArgList())));
      return new Expression.Column(name);
    }
    Optional<SpreadFunction> spread = Spreads.of(call.getAggregation());
    if (!plain
        || (spread.isPresent() ? !needsColumns(aggregate) : call.getArgList().size() > 1)
        || (kind == SqlKind.SINGLE_VALUE && !aggregate.getGroupSet().isEmpty())) {
      throw new UnsupportedExpressionException("the aggregate " + call);
    }
    distinct = call.isDistinct();
    filter = call.filterArg < 0 ? Optional.empty() : Optional.of(argument(column(call.filterArg)));
    if (call.getArgList().isEmpty()) {
      return added(name -> AggregateCall.countRows(name));
    }
    if (spread.isPresent()) {
      requireDouble(call.getType(), call.toString());
      return spread(call, spread.get());
    }
    Field argument = input.row().fields().get(call.getArgList().get(0));
    Expression value = new Expression.Column(argument.name());
    DataType type = argument.type().type();
    if (call.getAggregation() instanceof QuantileFunction function) {
      return quantile(function, argument);
    }
    return switch (kind) {
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

  private Expression quantile(QuantileFunction function, Field argument) {
    String name = "s" + statistics.size();
    statistics.add(
        new Statistic.Quantile(
            name,
            function.continuous()
                ? asDouble(argument)
                : argument(new Expression.Column(argument.name())),
            function.continuous(),
            function.fraction(),
            function.descending(),
            filter));
    return new Expression.Column(name);
  }

  /** Whether nothing but columns can do this, so that a spread need not be exact. */
  static boolean needsColumns(Aggregate aggregate) {
    return aggregate.getGroupType() != Aggregate.Group.SIMPLE
        || aggregate.getAggCallList().stream()
            .anyMatch(
                call ->
                    call.isDistinct()
                        || call.hasFilter()
                        || call.distinctKeys != null
                        || call.getAggregation() instanceof QuantileFunction);
  }

  private Expression spread(
      org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.AggregateCall call,
      SpreadFunction function)
      throws UnsupportedExpressionException {
    List<String> columns = new ArrayList<>();
    for (int index : call.getArgList()) {
      Field argument = input.row().fields().get(index);
      if (!argument.type().type().isNumeric()) {
        throw new UnsupportedExpressionException(call + " of " + argument.type().type());
      }
      columns.add(asDouble(argument));
    }
    String name = "s" + statistics.size();
    statistics.add(new Statistic.Spread(name, function, columns, distinct, filter));
    return new Expression.Column(name);
  }

  /** What the engine gives as a double has to be one for the planner, too. */
  static void requireDouble(RelDataType type, String function)
      throws UnsupportedExpressionException {
    if (SqlRows.simple(type) != SimpleType.DOUBLE) {
      throw new UnsupportedExpressionException(function + " as " + type);
    }
  }

  private String asDouble(Field argument) {
    Expression value = new Expression.Column(argument.name());
    return argument(
        argument.type().type() == SimpleType.DOUBLE
            ? value
            : new Expression.Cast(value, SimpleType.DOUBLE));
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

  /** The result of a function of a value, with the distinction and the filter of this call. */
  private Expression added(AggregateFunction function, Expression value) {
    String argument = argument(value);
    return added(name -> AggregateCall.of(name, function, argument));
  }

  /** The name of a value that is aggregated; one that is there already is used again. */
  private String argument(Expression value) {
    return arguments.stream()
        .filter(known -> known.expression().equals(value))
        .map(NamedExpression::name)
        .findFirst()
        .orElseGet(
            () -> {
              String name = "v" + arguments.size();
              arguments.add(new NamedExpression(name, value));
              return name;
            });
  }

  /** The result of a call; one that is there already is used again. */
  private Expression added(Function<String, AggregateCall> call) {
    for (Relation.GroupedCall known : calls) {
      if (known.equals(
          new Relation.GroupedCall(call.apply(known.call().name()), distinct, filter))) {
        return new Expression.Column(known.call().name());
      }
    }
    String name = "f" + calls.size();
    calls.add(new Relation.GroupedCall(call.apply(name), distinct, filter));
    return new Expression.Column(name);
  }
}
