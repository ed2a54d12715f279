// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.rows;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Phase;
import dev.anemone.ir.relational.RowType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The final half of an aggregate: takes the rows of all partial halves, in any order, and gives the
 * result. Holds one row for each group. Not thread-safe.
 */
public final class FinalAggregation {

  private final Aggregate aggregate;
  private final RowType result;
  private final int keys;
  private final Map<List<Object>, Object[]> groups = new LinkedHashMap<>();
  private final List<AggregateFunction> merges = new ArrayList<>();

  /**
   * An aggregation without rows.
   *
   * @param aggregate a final half
   * @param states the type of the partial halves' rows
   * @throws dev.anemone.ir.relational.InvalidPlanException when the two do not fit
   */
  public FinalAggregation(Aggregate aggregate, RowType states) {
    if (aggregate.phase() != Phase.FINAL) {
      throw new IllegalArgumentException("no final half: " + aggregate.text());
    }
    this.aggregate = aggregate;
    this.result = aggregate.outputOf(states);
    this.keys = aggregate.groupBy().size();
    for (AggregateCall call : aggregate.calls()) {
      switch (call.function()) {
        case SUM, COUNT -> merges.add(AggregateFunction.SUM);
        case MIN, MAX -> merges.add(call.function());
        case SINGLE_VALUE -> throw new IllegalArgumentException(call.text() + " has no halves");
        case AVG -> {
          merges.add(AggregateFunction.SUM);
          merges.add(AggregateFunction.SUM);
        }
      }
    }
    if (states.fields().size() != keys + merges.size()) {
      throw new IllegalArgumentException("not the rows of its partial halves: " + states);
    }
  }

  /** The type of the result's rows. */
  public RowType resultType() {
    return result;
  }

  /**
   * Takes a row of a partial half.
   *
   * @throws ArithmeticException when a sum does not fit any more
   */
  public void add(List<Object> row) {
    Object[] states =
        groups.computeIfAbsent(
            new ArrayList<>(row.subList(0, keys)), key -> new Object[merges.size()]);
    for (int i = 0; i < states.length; i++) {
      states[i] = merged(merges.get(i), states[i], row.get(keys + i));
    }
  }

  /**
   * The result of all rows so far. Without groups it has one row, also when there was none.
   *
   * @throws ArithmeticException when a sum has more than 38 digits
   */
  public List<List<Object>> result() {
    if (keys == 0 && groups.isEmpty()) {
      groups.put(List.of(), new Object[merges.size()]);
    }
    List<List<Object>> rows = new ArrayList<>();
    groups.forEach((key, states) -> rows.add(finished(key, states)));
    return rows;
  }

  private List<Object> finished(List<Object> key, Object[] states) {
    List<Object> row = new ArrayList<>(key);
    int state = 0;
    for (AggregateCall call : aggregate.calls()) {
      Object value = states[state++];
      switch (call.function()) {
        case COUNT -> row.add(value == null ? (Object) 0L : value);
        case AVG -> row.add(mean(value, (Long) states[state++], result.fields().get(row.size())));
        case SUM, MIN, MAX, SINGLE_VALUE -> row.add(fitted(value));
      }
    }
    return row;
  }

  private static Object mean(Object sum, Long count, Field field) {
    if (sum == null) {
      return null;
    }
    if (sum instanceof Double real) {
      return real / count;
    }
    DecimalType type = (DecimalType) field.type().type();
    return fitted(
        ((BigDecimal) sum).divide(BigDecimal.valueOf(count), type.scale(), RoundingMode.HALF_UP));
  }

  private static Object fitted(Object value) {
    if (value instanceof BigDecimal decimal && decimal.precision() > DecimalType.MAX_PRECISION) {
      throw new ArithmeticException(
          "a sum has more than " + DecimalType.MAX_PRECISION + " digits: " + decimal);
    }
    return value;
  }

  private static Object merged(AggregateFunction merge, Object state, Object next) {
    if (state == null || next == null) {
      return state == null ? next : state;
    }
    if (merge != AggregateFunction.SUM) {
      int order = ValueOrder.INSTANCE.compare(next, state);
      return (merge == AggregateFunction.MIN ? order < 0 : order > 0) ? next : state;
    }
    if (state instanceof Long sum) {
      return Math.addExact(sum, (Long) next);
    }
    return state instanceof Double sum
        ? (Object) (sum + (Double) next)
        : ((BigDecimal) state).add((BigDecimal) next);
  }
}
