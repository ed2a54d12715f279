// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.sql;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.PartialStates;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.util.List;
import java.util.function.UnaryOperator;

/** The halves of an aggregate in SQL. */
final class AggregateStates {

  private AggregateStates() {}

  /**
   * The columns that a partial aggregate has for a call.
   *
   * @param row what is aggregated
   * @param columns the SQL of its columns
   * @throws InvalidPlanException when the call has no halves
   */
  static List<String> of(AggregateCall call, RowType row, UnaryOperator<String> columns) {
    if (call.column().isEmpty()) {
      return List.of("count(*)");
    }
    DataType type = row.field(call.column().get()).type().type();
    String argument = columns.apply(call.column().get());
    return switch (call.function()) {
      case COUNT -> List.of("count(" + argument + ")");
      case MIN -> List.of("min(" + argument + ")");
      case MAX -> List.of("max(" + argument + ")");
      case SUM -> List.of(sum(argument, type, SimpleType.INT64));
      case SINGLE_VALUE ->
          throw new InvalidPlanException(call.text() + " cannot be run on a split");
      case AVG ->
          List.of(sum(argument, type, PartialStates.meanSumType(type)), "count(" + argument + ")");
    };
  }

  /**
   * The column that a final aggregate has for a call.
   *
   * @param states the rows of partial aggregates
   * @param columns the SQL of their columns
   */
  static String finished(AggregateCall call, RowType states, UnaryOperator<String> columns) {
    return switch (call.function()) {
      case COUNT -> count(columns.apply(call.name()));
      case MIN -> "min(" + columns.apply(call.name()) + ")";
      case MAX -> "max(" + columns.apply(call.name()) + ")";
      case SUM ->
          sum(
              columns.apply(call.name()),
              states.field(call.name()).type().type(),
              SimpleType.INT64);
      case SINGLE_VALUE -> throw new InvalidPlanException(call.text() + " has no halves");
      case AVG -> mean(call, states, columns);
    };
  }

  private static String mean(AggregateCall call, RowType states, UnaryOperator<String> columns) {
    String sumColumn = PartialStates.sumOf(call.name());
    DataType type = states.field(sumColumn).type().type();
    String sum = sum(columns.apply(sumColumn), type, type);
    String count = count(columns.apply(PartialStates.countOf(call.name())));
    return type instanceof DecimalType decimal
        ? SqlText.cast(Quotients.byCount(sum, decimal, count), PartialStates.meanType(type))
        : "(CASE WHEN " + count + " = 0 THEN NULL ELSE " + sum + " / " + count + " END)";
  }

  /** Of no rows at all there are none, where a sum is null. */
  private static String count(String counts) {
    return "coalesce(" + SqlText.cast("sum(" + counts + ")", SimpleType.INT64) + ", 0)";
  }

  private static String sum(String argument, DataType type, DataType sumOfWholeNumbers) {
    return PlanSql.typedSum("sum(" + argument + ")", type, sumOfWholeNumbers);
  }
}
