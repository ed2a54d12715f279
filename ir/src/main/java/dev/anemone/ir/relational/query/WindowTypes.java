// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.query;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.ExpressionText;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The rows that a {@link Relation.Windowed} gives. */
final class WindowTypes {

  private WindowTypes() {}

  static RowType rowOf(RowType input, List<Relation.WindowCall> calls) {
    List<Field> fields = new ArrayList<>(input.fields());
    for (Relation.WindowCall call : calls) {
      call.partition().forEach(input::field);
      call.order().forEach(key -> input.field(key.column()));
      fields.add(field(input, call));
    }
    return new RowType(fields);
  }

  private static Field field(RowType input, Relation.WindowCall call) {
    return switch (call.function().kind()) {
      case PLACE, PART -> Field.required(call.name(), SimpleType.INT64);
      case SHARE -> Field.required(call.name(), SimpleType.DOUBLE);
      case NEIGHBOUR, END, NTH ->
          Field.nullable(call.name(), input.field(call.arguments().column().get()).type().type());
      case SPREAD ->
          new Statistic.Spread(
                  call.name(),
                  call.function().spread().get(),
                  List.of(call.arguments().column().get()),
                  false,
                  Optional.empty())
              .field(input);
      case AGGREGATE -> {
        AggregateCall aggregate =
            new AggregateCall(
                call.name(), call.function().aggregate().get(), call.arguments().column());
        yield Aggregate.complete(List.of(), List.of(aggregate)).outputOf(input).fields().get(0);
      }
    };
  }

  static String textOf(Relation.Windowed windowed) {
    return "window "
        + windowed.calls().stream().map(WindowTypes::textOf).collect(Collectors.joining(", "));
  }

  private static String textOf(Relation.WindowCall call) {
    List<String> over = new ArrayList<>();
    if (!call.partition().isEmpty()) {
      over.add(
          "partition by "
              + call.partition().stream().map(WindowTypes::name).collect(Collectors.joining(", ")));
    }
    if (!call.order().isEmpty()) {
      over.add(
          "order by " + call.order().stream().map(SortKey::text).collect(Collectors.joining(", ")));
    }
    if (call.function().isFramed()) {
      over.add(call.frame().text());
    }
    return call.function().text()
        + "("
        + textOf(call.arguments(), call.function())
        + ") over ("
        + String.join(" ", over)
        + ") as "
        + name(call.name());
  }

  private static String textOf(WindowArguments arguments, WindowFunction function) {
    List<String> all = new ArrayList<>();
    arguments.column().map(WindowTypes::name).ifPresent(all::add);
    if (function == WindowFunction.COUNT && all.isEmpty()) {
      all.add("*");
    }
    arguments.number().ifPresent(number -> all.add(String.valueOf(number)));
    return String.join(", ", all) + (arguments.ignoresNulls() ? " ignore nulls" : "");
  }

  private static String name(String column) {
    return ExpressionText.of(new Expression.Column(column));
  }
}
