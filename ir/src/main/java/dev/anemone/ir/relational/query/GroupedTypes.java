// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.query;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.ExpressionText;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/** The rows that a {@link Relation.Grouped} gives. */
final class GroupedTypes {

  private GroupedTypes() {}

  static void check(List<String> keys, List<List<String>> sets, List<Relation.Level> levels) {
    if (sets.isEmpty()) {
      throw new InvalidPlanException("there is no grouping; one at least is needed");
    }
    sets.forEach(set -> requireKeys(keys, set));
    for (Relation.Level level : levels) {
      requireKeys(keys, level.keys());
      if (level.keys().isEmpty() || level.keys().size() >= Long.SIZE) {
        throw new InvalidPlanException(
            "the level "
                + level.name()
                + " is of "
                + level.keys().size()
                + " keys; 1 to 63 can be");
      }
    }
  }

  private static void requireKeys(List<String> keys, List<String> some) {
    for (String key : some) {
      if (!keys.contains(key)) {
        throw new InvalidPlanException("groups by " + key + ", which is none of the keys " + keys);
      }
    }
  }

  static RowType rowOf(
      RowType input,
      List<String> keys,
      List<List<String>> sets,
      List<Relation.GroupedCall> calls,
      List<Relation.Level> levels,
      List<Statistic> statistics) {
    List<AggregateCall> plain = calls.stream().map(Relation.GroupedCall::call).toList();
    List<Field> fields = new ArrayList<>();
    if (!keys.isEmpty()) {
      for (Field key : Aggregate.complete(keys, List.of()).outputOf(input).fields()) {
        boolean always = sets.stream().allMatch(set -> set.contains(key.name()));
        fields.add(always ? key : Field.nullable(key.name(), key.type().type()));
      }
    }
    // A grouping without keys has a row also of no rows, whose results are null.
    boolean isOfAll = sets.stream().anyMatch(List::isEmpty);
    List<String> someKeys = isOfAll ? List.of() : keys;
    if (!plain.isEmpty()) {
      List<Field> results = Aggregate.complete(someKeys, plain).outputOf(input).fields();
      fields.addAll(results.subList(someKeys.size(), results.size()));
    }
    for (Relation.GroupedCall call : calls) {
      call.filter().ifPresent(filter -> requireBoolean(input, filter, call.call().text()));
    }
    levels.forEach(level -> fields.add(Field.required(level.name(), SimpleType.INT64)));
    for (Statistic statistic : statistics) {
      statistic.filter().ifPresent(filter -> requireBoolean(input, filter, statistic.text()));
      fields.add(statistic.field(input));
    }
    return new RowType(fields);
  }

  private static void requireBoolean(RowType input, String filter, String filtered) {
    if (input.field(filter).type().type() != SimpleType.BOOLEAN) {
      throw new InvalidPlanException(
          filtered + " is filtered by " + filter + ", which is no boolean");
    }
  }

  static String textOf(Relation.Grouped grouped) {
    String sets =
        grouped.sets().stream()
            .map(set -> set.stream().map(GroupedTypes::name).collect(joining()))
            .map(set -> "(" + set + ")")
            .collect(joining());
    List<String> columns = new ArrayList<>();
    for (Relation.GroupedCall call : grouped.calls()) {
      columns.add(
          (call.distinct() ? "distinct " : "")
              + call.call().text()
              + call.filter().map(filter -> " where " + name(filter)).orElse(""));
    }
    for (Relation.Level level : grouped.levels()) {
      columns.add(
          "grouping("
              + level.keys().stream().map(GroupedTypes::name).collect(joining())
              + ") as "
              + name(level.name()));
    }
    grouped.statistics().forEach(statistic -> columns.add(statistic.text()));
    return "aggregate by " + sets + (columns.isEmpty() ? "" : ": " + String.join(", ", columns));
  }

  private static Collector<CharSequence, ?, String> joining() {
    return Collectors.joining(", ");
  }

  private static String name(String column) {
    return ExpressionText.of(new Expression.Column(column));
  }
}
