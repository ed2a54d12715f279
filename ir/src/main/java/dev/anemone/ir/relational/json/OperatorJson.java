// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Phase;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rows and operators as JSON: arrays, of which the first item says what it is. */
final class OperatorJson {

  private static final String FILTER = "filter";
  private static final String PROJECT = "project";
  private static final String AGGREGATE = "aggregate";

  private OperatorJson() {}

  static ArrayNode ofRow(RowType row) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    for (Field field : row.fields()) {
      array
          .addArray()
          .add(field.name())
          .add(field.type().type().text())
          .add(field.type().nullable());
    }
    return array;
  }

  static RowType rowOf(JsonNode node) {
    List<Field> fields = new ArrayList<>();
    for (JsonNode item : JsonItems.array(node, "a row")) {
      JsonNode field = JsonItems.array(item, 3, "a column [name, type, nullable]");
      DataType type = DataType.parse(JsonItems.text(field.get(1), "the type of a column"));
      fields.add(
          new Field(
              JsonItems.text(field.get(0), "the name of a column"),
              new ValueType(type, JsonItems.bool(field.get(2), "whether a column is nullable"))));
    }
    return new RowType(fields);
  }

  static ArrayNode of(RelationalOperator operator) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    if (operator instanceof Filter filter) {
      return array.add(FILTER).add(ExpressionWriter.json(filter.condition()));
    } else if (operator instanceof Project project) {
      array.add(PROJECT);
      for (NamedExpression column : project.columns()) {
        array.addArray().add(column.name()).add(ExpressionWriter.json(column.expression()));
      }
      return array;
    } else if (operator instanceof Aggregate aggregate) {
      array.add(AGGREGATE).add(JsonItems.nameOf(aggregate.phase()));
      ArrayNode keys = array.addArray();
      aggregate.groupBy().forEach(keys::add);
      ArrayNode calls = array.addArray();
      aggregate.calls().forEach(call -> calls.add(of(call)));
      return array;
    }
    throw new IllegalStateException("no JSON of a " + operator.getClass().getSimpleName());
  }

  static ArrayNode of(AggregateCall call) {
    ArrayNode item =
        JsonNodeFactory.instance
            .arrayNode()
            .add(call.name())
            .add(JsonItems.nameOf(call.function()));
    call.column().ifPresent(item::add);
    return item;
  }

  static RelationalOperator operatorOf(JsonNode node) {
    JsonNode array = JsonItems.array(node, "an operator");
    String kind = JsonItems.text(array.path(0), "the kind of an operator");
    return switch (kind) {
      case FILTER ->
          new Filter(
              ExpressionReader.expression(
                  JsonItems.array(array, 2, "[\"filter\", condition]").get(1)));
      case PROJECT -> projectOf(array);
      case AGGREGATE ->
          aggregateOf(JsonItems.array(array, 4, "[\"aggregate\", phase, columns, calls]"));
      default ->
          throw new InvalidPlanException(
              "there is no operator "
                  + JsonItems.shown(array.get(0))
                  + "; there are filter, project and aggregate");
    };
  }

  private static Project projectOf(JsonNode array) {
    List<NamedExpression> columns = new ArrayList<>();
    for (int i = 1; i < array.size(); i++) {
      JsonNode column = JsonItems.array(array.get(i), 2, "a projected column [name, expression]");
      columns.add(
          new NamedExpression(
              JsonItems.text(column.get(0), "the name of a projected column"),
              ExpressionReader.expression(column.get(1))));
    }
    return new Project(columns);
  }

  private static Aggregate aggregateOf(JsonNode array) {
    List<String> keys = names(array.get(2), "what an aggregate groups by");
    List<AggregateCall> calls = new ArrayList<>();
    for (JsonNode item : JsonItems.array(array.get(3), "the calls of an aggregate")) {
      calls.add(callOf(item));
    }
    return new Aggregate(
        JsonItems.constant(array.get(1), Phase.values(), "the phase of an aggregate"), keys, calls);
  }

  /** Names of columns. */
  static List<String> names(JsonNode node, String what) {
    List<String> names = new ArrayList<>();
    for (JsonNode name : JsonItems.array(node, what)) {
      names.add(JsonItems.text(name, "a column of " + what));
    }
    return names;
  }

  static AggregateCall callOf(JsonNode item) {
    JsonNode call =
        item.isArray() && item.size() == 2
            ? item
            : JsonItems.array(item, 3, "a call [name, function, column]");
    return new AggregateCall(
        JsonItems.text(call.get(0), "the name of a call"),
        JsonItems.constant(call.get(1), AggregateFunction.values(), "the function of a call"),
        call.size() == 2
            ? Optional.empty()
            : Optional.of(JsonItems.text(call.get(2), "the column of a call")));
  }
}
