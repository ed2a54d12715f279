// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.testing;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.rows.ValueOrder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Plans by the book: row by row, with all values of a group at hand. */
public final class Interpreter {

  private Interpreter() {}

  /**
   * The rows that a plan gives.
   *
   * @param table the type of the rows
   * @param rows all rows of the table
   */
  public static List<List<Object>> run(
      RelationalPlan plan, RowType table, List<List<Object>> rows) {
    List<List<Object>> current = new ArrayList<>();
    for (List<Object> row : rows) {
      List<Object> scanned = new ArrayList<>();
      plan.scan()
          .fields()
          .forEach(field -> scanned.add(row.get(table.indexOf(field.name()).orElseThrow())));
      current.add(scanned);
    }
    List<RowType> types = plan.rowTypes();
    for (int i = 0; i < plan.operators().size(); i++) {
      current = run(plan.operators().get(i), types.get(i), types.get(i + 1), current);
    }
    return current;
  }

  private static List<List<Object>> run(
      RelationalOperator operator, RowType input, RowType output, List<List<Object>> rows) {
    Evaluator evaluator = new Evaluator(input);
    List<List<Object>> results = new ArrayList<>();
    if (operator instanceof Filter filter) {
      for (List<Object> row : rows) {
        if (Boolean.TRUE.equals(evaluator.of(filter.condition(), row))) {
          results.add(row);
        }
      }
    } else if (operator instanceof Project project) {
      for (List<Object> row : rows) {
        List<Object> projected = new ArrayList<>();
        project.columns().forEach(column -> projected.add(evaluator.of(column.expression(), row)));
        results.add(projected);
      }
    } else if (operator instanceof Aggregate aggregate) {
      groups(aggregate, input, rows)
          .forEach(
              (key, group) -> {
                List<Object> result = new ArrayList<>(key);
                for (AggregateCall call : aggregate.calls()) {
                  DataType type = output.fields().get(result.size()).type().type();
                  result.add(value(call, type, input, group));
                }
                results.add(result);
              });
    }
    return results;
  }

  private static Map<List<Object>, List<List<Object>>> groups(
      Aggregate aggregate, RowType input, List<List<Object>> rows) {
    Map<List<Object>, List<List<Object>>> groups = new LinkedHashMap<>();
    if (aggregate.groupBy().isEmpty()) {
      groups.put(List.of(), rows);
      return groups;
    }
    for (List<Object> row : rows) {
      List<Object> key = new ArrayList<>();
      aggregate.groupBy().forEach(name -> key.add(row.get(input.indexOf(name).orElseThrow())));
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
    }
    return groups;
  }

  private static Object value(
      AggregateCall call, DataType type, RowType input, List<List<Object>> group) {
    if (call.column().isEmpty()) {
      return (long) group.size();
    }
    int column = input.indexOf(call.column().get()).orElseThrow();
    List<Object> values =
        group.stream().map(row -> row.get(column)).filter(Objects::nonNull).toList();
    return switch (call.function()) {
      case COUNT -> (long) values.size();
      case MIN -> values.stream().min(ValueOrder.INSTANCE).orElse(null);
      case MAX -> values.stream().max(ValueOrder.INSTANCE).orElse(null);
      case SUM -> values.isEmpty() ? null : sum(values, type);
      case AVG -> values.isEmpty() ? null : mean(values, type);
      case SINGLE_VALUE -> throw new IllegalArgumentException(call.text() + " has no halves");
    };
  }

  private static Object sum(List<Object> values, DataType type) {
    if (type == SimpleType.DOUBLE) {
      return values.stream().mapToDouble(value -> (Double) value).sum();
    }
    BigDecimal sum = exactSum(values);
    return type == SimpleType.INT64 ? (Object) sum.longValueExact() : sum;
  }

  private static Object mean(List<Object> values, DataType type) {
    if (type == SimpleType.DOUBLE) {
      return (Double) sum(values, type) / values.size();
    }
    return exactSum(values)
        .divide(
            BigDecimal.valueOf(values.size()), ((DecimalType) type).scale(), RoundingMode.HALF_UP);
  }

  private static BigDecimal exactSum(List<Object> values) {
    return values.stream()
        .map(
            value ->
                value instanceof BigDecimal decimal
                    ? decimal
                    : BigDecimal.valueOf(((Number) value).longValue()))
        .reduce(BigDecimal::add)
        .orElseThrow();
  }
}
