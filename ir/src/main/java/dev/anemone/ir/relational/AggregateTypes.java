// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Phase;
import java.util.ArrayList;
import java.util.List;

/** The rows that an aggregate gives. */
final class AggregateTypes {

  private AggregateTypes() {}

  static RowType outputOf(Aggregate aggregate, RowType input) {
    List<Field> fields = new ArrayList<>();
    for (String key : aggregate.groupBy()) {
      Field field = input.field(key);
      if (field.type().type() == SimpleType.DOUBLE) {
        throw new InvalidPlanException(
            "groups by the double "
                + Texts.name(key)
                + ", and doubles that should be equal seldom are; group by another column");
      }
      fields.add(field);
    }
    boolean grouped = !aggregate.groupBy().isEmpty();
    for (AggregateCall call : aggregate.calls()) {
      if (aggregate.phase() == Phase.FINAL) {
        fields.add(finished(call, input, grouped));
      } else {
        ValueType argument =
            call.column().map(column -> input.field(column).type()).orElse(rowCount());
        checkArgument(call, argument);
        if (aggregate.phase() == Phase.PARTIAL
            && call.function() == AggregateFunction.SINGLE_VALUE) {
          throw new InvalidPlanException(
              call.text() + " needs all rows at once, and is no half of an aggregate");
        }
        if (aggregate.phase() == Phase.PARTIAL) {
          fields.addAll(states(call, argument, grouped));
        } else {
          fields.add(result(call, argument, grouped));
        }
      }
    }
    return new RowType(fields);
  }

  /** The columns that a partial aggregate has for a call. */
  private static List<Field> states(AggregateCall call, ValueType argument, boolean grouped) {
    if (call.function() == AggregateFunction.AVG) {
      return List.of(
          new Field(
              PartialStates.sumOf(call.name()),
              new ValueType(
                  PartialStates.meanSumType(argument.type()), argument.nullable() || !grouped)),
          Field.required(PartialStates.countOf(call.name()), SimpleType.INT64));
    }
    return List.of(result(call, argument, grouped));
  }

  private static Field result(AggregateCall call, ValueType argument, boolean grouped) {
    boolean nullable = argument.nullable() || !grouped;
    DataType type = argument.type();
    return switch (call.function()) {
      case COUNT -> Field.required(call.name(), SimpleType.INT64);
      case SUM -> new Field(call.name(), new ValueType(sumType(type), nullable));
      case MIN, MAX, SINGLE_VALUE -> new Field(call.name(), new ValueType(type, nullable));
      case AVG ->
          new Field(
              call.name(),
              new ValueType(PartialStates.meanType(PartialStates.meanSumType(type)), nullable));
    };
  }

  /** The column of a final aggregate for a call, from the states of the partial ones. */
  private static Field finished(AggregateCall call, RowType states, boolean grouped) {
    if (call.function() == AggregateFunction.AVG) {
      ValueType sum = states.field(PartialStates.sumOf(call.name())).type();
      requireState(
          call,
          PartialStates.countOf(call.name()),
          states.field(PartialStates.countOf(call.name())).type(),
          SimpleType.INT64);
      requireState(call, PartialStates.sumOf(call.name()), sum, meanSumAgain(sum.type()));
      return new Field(
          call.name(),
          new ValueType(PartialStates.meanType(sum.type()), sum.nullable() || !grouped));
    }
    ValueType state = states.field(call.name()).type();
    switch (call.function()) {
      case COUNT -> requireState(call, call.name(), state, SimpleType.INT64);
      case SUM ->
          requireState(
              call,
              call.name(),
              state,
              state.type().isNumeric() ? sumType(state.type()) : SimpleType.INT64);
      case MIN, MAX, AVG, SINGLE_VALUE -> checkArgument(call, state);
    }
    return result(call, state, grouped);
  }

  private static DataType meanSumAgain(DataType sum) {
    return sum == SimpleType.DOUBLE ? sum : new DecimalType(DecimalType.MAX_PRECISION, scale(sum));
  }

  private static int scale(DataType type) {
    return type instanceof DecimalType decimal ? decimal.scale() : 0;
  }

  private static void requireState(
      AggregateCall call, String name, ValueType state, DataType needed) {
    if (!state.type().equals(needed)) {
      throw new InvalidPlanException(
          call.text()
              + " finds a "
              + state.type()
              + " in column "
              + Texts.name(name)
              + ", and a partial aggregate would have a "
              + needed
              + " there");
    }
  }

  private static void checkArgument(AggregateCall call, ValueType argument) {
    boolean right =
        switch (call.function()) {
          case SUM, AVG -> argument.type().isNumeric();
          case MIN, MAX -> argument.type() != SimpleType.BOOLEAN;
          case COUNT, SINGLE_VALUE -> true;
        };
    if (!right) {
      throw new InvalidPlanException(
          call.text()
              + " is of a "
              + argument.type()
              + "; "
              + (call.function() == AggregateFunction.SUM
                      || call.function() == AggregateFunction.AVG
                  ? "a number is needed"
                  : "booleans have no order"));
    }
  }

  private static DataType sumType(DataType argument) {
    if (argument instanceof DecimalType decimal) {
      return new DecimalType(DecimalType.MAX_PRECISION, decimal.scale());
    }
    return argument == SimpleType.DOUBLE ? SimpleType.DOUBLE : SimpleType.INT64;
  }

  private static ValueType rowCount() {
    return new ValueType(SimpleType.INT64, false);
  }
}
