// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.sql;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.PartialStates;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.SortKey;
import dev.anemone.ir.relational.query.SpreadFunction;
import dev.anemone.ir.relational.query.Statistic;
import dev.anemone.ir.relational.query.WindowArguments;
import dev.anemone.ir.relational.query.WindowFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Functions of several rows in DuckDB's SQL: aggregates, analytic functions, and their orders. */
final class CallSql {

  private CallSql() {}

  /** Columns, with commas between them. */
  static String names(List<String> columns, RelationSql input) {
    return columns.stream().map(input::column).collect(Collectors.joining(", "));
  }

  /**
   * An aggregate in SQL.
   *
   * @param distinct what stands before the values
   * @param filter what stands behind the function
   */
  static String ofCall(AggregateCall call, String distinct, String filter, RelationSql input) {
    if (call.column().isEmpty()) {
      return "count(*)" + filter;
    }
    String argument = input.column(call.column().get());
    DataType type = input.row().field(call.column().get()).type().type();
    Function<String, String> of = function -> function + "(" + distinct + argument + ")" + filter;
    return switch (call.function()) {
      case COUNT -> of.apply("count");
      case MIN -> of.apply("min");
      case MAX -> of.apply("max");
      case SINGLE_VALUE ->
          "(CASE WHEN count(*)"
              + filter
              + " > 1 THEN error('a sub-query that stands for one value has yielded more than one"
              + " row') ELSE "
              + of.apply("min")
              + " END)";
      case SUM -> PlanSql.typedSum(of.apply("sum"), type, SimpleType.INT64);
      case AVG -> mean(of, type);
    };
  }

  private static String mean(Function<String, String> of, DataType type) {
    if (type == SimpleType.DOUBLE) {
      return of.apply("avg");
    }
    DataType sumType = PartialStates.meanSumType(type);
    return SqlText.cast(
        Quotients.byCount(
            PlanSql.typedSum(of.apply("sum"), type, sumType),
            (DecimalType) sumType,
            of.apply("count")),
        PartialStates.meanType(sumType));
  }

  /** What the values of a group are like. */
  static String ofStatistic(Statistic statistic, RelationSql input) {
    String filter = filter(statistic.filter(), input);
    if (statistic instanceof Statistic.Quantile quantile) {
      return (quantile.continuous() ? "percentile_cont(" : "percentile_disc(")
          + quantile.fraction()
          + ") WITHIN GROUP (ORDER BY "
          + input.column(quantile.column())
          + (quantile.descending() ? " DESC" : "")
          + ")"
          + filter;
    }
    if (statistic instanceof Statistic.Spread spread) {
      return ofSpread(
          spread.function(),
          spread.distinct() ? "DISTINCT " : "",
          spread.columns().stream().map(input::column).toList(),
          filter);
    }
    throw new IllegalStateException("no SQL of a " + statistic.getClass().getSimpleName());
  }

  /**
   * How much doubles differ. DuckDB fails where one of them is not finite, and has no correlation
   * of what is the same in all rows, but not a number.
   *
   * @param behind what stands behind each function
   */
  private static String ofSpread(
      SpreadFunction function, String distinct, List<String> columns, String behind) {
    String finite =
        columns.stream()
            .map(column -> "isfinite(" + column + ")")
            .collect(Collectors.joining(" AND "));
    String first = "CASE WHEN " + finite + " THEN " + columns.get(0) + " END";
    List<String> arguments = new ArrayList<>(columns);
    arguments.set(0, first);
    String spread = function.text() + "(" + distinct + String.join(", ", arguments) + ")" + behind;
    return "CASE WHEN coalesce(bool_or(NOT ("
        + finite
        + ")"
        + columns.stream()
            .map(column -> " AND " + column + " IS NOT NULL")
            .collect(Collectors.joining())
        + ")"
        + behind
        + ", false) THEN 'NaN'::DOUBLE ELSE "
        + (function == SpreadFunction.CORR ? "nullif(" + spread + ", 'NaN'::DOUBLE)" : spread)
        + " END";
  }

  /** What stands behind a function of some of the rows. */
  static String filter(Optional<String> filter, RelationSql input) {
    return filter.map(column -> " FILTER (WHERE " + input.column(column) + ")").orElse("");
  }

  /** A function of the rows around a row. */
  static String ofWindow(Relation.WindowCall call, RelationSql input) {
    String over = " OVER (" + over(call, input) + ")";
    return call.function()
        .spread()
        .map(
            spread ->
                ofSpread(spread, "", List.of(input.column(call.arguments().column().get())), over))
        .orElseGet(() -> function(call, input) + over);
  }

  private static String function(Relation.WindowCall call, RelationSql input) {
    WindowArguments of = call.arguments();
    List<String> arguments = new ArrayList<>();
    of.column().map(input::column).ifPresent(arguments::add);
    if (call.function() == WindowFunction.COUNT && arguments.isEmpty()) {
      arguments.add("*");
    }
    of.number().ifPresent(number -> arguments.add(String.valueOf(number)));
    return call.function().text()
        + "("
        + String.join(", ", arguments)
        + (of.ignoresNulls() ? " IGNORE NULLS" : "")
        + ")";
  }

  private static String over(Relation.WindowCall call, RelationSql input) {
    List<String> parts = new ArrayList<>();
    if (!call.partition().isEmpty()) {
      parts.add("PARTITION BY " + names(call.partition(), input));
    }
    if (!call.order().isEmpty()) {
      parts.add("ORDER BY " + order(call.order(), input));
    }
    if (call.function().isFramed()) {
      parts.add(call.frame().text());
    }
    return String.join(" ", parts);
  }

  /** An order by some columns. */
  static String order(List<SortKey> keys, RelationSql input) {
    return keys.stream()
        .map(
            key ->
                input.column(key.column())
                    + (key.descending() ? " DESC" : " ASC")
                    + (key.nullsFirst() ? " NULLS FIRST" : " NULLS LAST"))
        .collect(Collectors.joining(", "));
  }
}
