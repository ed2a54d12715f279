// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which row groups of a Parquet file can have a row that the first filters of a plan let pass, by
 * the smallest and the largest value that the footer says of each. It knows whole numbers, decimals
 * and dates, compared with constants; of all else any row may pass.
 */
final class GroupFilter {

  /** Lets all pass. */
  static final GroupFilter NONE = new GroupFilter(List.of(), false);

  private final List<Condition> conditions;
  private final boolean nothing;

  private GroupFilter(List<Condition> conditions, boolean nothing) {
    this.conditions = List.copyOf(conditions);
    this.nothing = nothing;
  }

  /** A condition that a row's value has to meet. */
  private record Condition(String column, boolean isDate, Values values) {}

  /** Whether a value of a range can meet a condition. */
  @FunctionalInterface
  private interface Values {
    boolean meets(Comparable<Object> least, Comparable<Object> greatest);
  }

  /** What the filters that come first in a plan say. */
  static GroupFilter of(RelationalPlan plan) {
    List<Condition> conditions = new ArrayList<>();
    boolean nothing = false;
    for (RelationalOperator operator : plan.operators()) {
      if (!(operator instanceof RelationalOperator.Filter filter)) {
        break;
      }
      nothing |= filter.condition().equals(Literal.of(false));
      add(filter.condition(), plan.scan(), conditions);
    }
    return new GroupFilter(conditions, nothing);
  }

  private static void add(Expression condition, RowType row, List<Condition> conditions) {
    if (condition instanceof Expression.And and) {
      and.operands().forEach(operand -> add(operand, row, conditions));
    } else if (condition instanceof Expression.Between between
        && between.value() instanceof Expression.Column column) {
      Optional<Comparable<Object>> low = constant(between.low());
      Optional<Comparable<Object>> high = constant(between.high());
      if (low.isPresent() && high.isPresent()) {
        add(
            column,
            row,
            (least, greatest) ->
                greatest.compareTo(low.get()) >= 0 && least.compareTo(high.get()) <= 0,
            conditions);
      }
    } else if (condition instanceof Expression.In in
        && in.value() instanceof Expression.Column column) {
      List<Comparable<Object>> keys =
          in.literals().stream().flatMap(literal -> constant(literal).stream()).toList();
      if (keys.size() == in.literals().size()) {
        add(
            column,
            row,
            (least, greatest) -> keys.stream().anyMatch(key -> isWithin(key, least, greatest)),
            conditions);
      }
    } else if (condition instanceof Comparison comparison
        && comparison.left() instanceof Expression.Column column) {
      constant(comparison.right())
          .ifPresent(value -> add(column, row, compared(comparison.relation(), value), conditions));
    }
  }

  private static Values compared(Comparison.Relation relation, Comparable<Object> value) {
    return switch (relation) {
      case EQUAL -> (least, greatest) -> isWithin(value, least, greatest);
      case NOT_EQUAL ->
          (least, greatest) -> value.compareTo(least) != 0 || value.compareTo(greatest) != 0;
      case LESS -> (least, greatest) -> least.compareTo(value) < 0;
      case LESS_OR_EQUAL -> (least, greatest) -> least.compareTo(value) <= 0;
      case GREATER -> (least, greatest) -> greatest.compareTo(value) > 0;
      case GREATER_OR_EQUAL -> (least, greatest) -> greatest.compareTo(value) >= 0;
    };
  }

  private static boolean isWithin(
      Comparable<Object> value, Comparable<Object> least, Comparable<Object> greatest) {
    return value.compareTo(least) >= 0 && value.compareTo(greatest) <= 0;
  }

  private static void add(
      Expression.Column column, RowType row, Values values, List<Condition> conditions) {
    DataType type = row.field(column.name()).type().type();
    boolean isDate = type == SimpleType.DATE;
    if (isDate
        || type == SimpleType.INT32
        || type == SimpleType.INT64
        || type instanceof DecimalType) {
      conditions.add(new Condition(column.name(), isDate, values));
    }
  }

  private static Optional<Comparable<Object>> constant(Expression expression) {
    if (!(expression instanceof Literal literal) || literal.value().isEmpty()) {
      return Optional.empty();
    }
    Object value = literal.value().get();
    if (value instanceof Integer || value instanceof Long) {
      return Optional.of(comparable(BigDecimal.valueOf(((Number) value).longValue())));
    }
    return value instanceof BigDecimal || value instanceof LocalDate
        ? Optional.of(comparable(value))
        : Optional.empty();
  }

  @SuppressWarnings("unchecked") // a number is compared with numbers only, a date with dates
  private static Comparable<Object> comparable(Object value) {
    return (Comparable<Object>) value;
  }

  /** Whether a row of the group may pass. */
  boolean mayPass(ParquetFile.RowGroup group) {
    return !nothing
        && conditions.stream()
            .allMatch(
                condition ->
                    group.chunks().stream()
                        .filter(chunk -> chunk.column().equals(condition.column()))
                        .allMatch(chunk -> mayPass(chunk, condition)));
  }

  private static boolean mayPass(ParquetFile.ColumnChunk chunk, Condition condition) {
    if (chunk.least().isEmpty() || chunk.greatest().isEmpty()) {
      return true;
    }
    try {
      return condition
          .values()
          .meets(
              comparable(parsed(chunk.least().get(), condition.isDate())),
              comparable(parsed(chunk.greatest().get(), condition.isDate())));
    } catch (NumberFormatException | DateTimeException e) {
      // Another type in this file, or a date beyond what is written with four digits.
      return true;
    }
  }

  private static Object parsed(String text, boolean isDate) {
    return isDate ? LocalDate.parse(text) : new BigDecimal(text);
  }
}
