// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ir.relational.query.SortKey;
import dev.anemone.ir.relational.query.Statistic;
import dev.anemone.ir.relational.query.WindowArguments;
import dev.anemone.ir.relational.query.WindowFrame;
import dev.anemone.ir.relational.query.WindowFunction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Queries as JSON in UTF-8, in one line of printable ASCII: a list of relations, of which each
 * names its inputs by their positions before it, and the last is the root. So depth costs no
 * nesting. Equal queries give equal bytes. An example, with line breaks:
 *
 * <pre>
 * {"version":1,
 *  "relations":[["input","orders",[["key","int64",false],["price","decimal(15,2)",true]]],
 *               ["input","lines",[["order","int64",false]]],
 *               ["join","semi",0,1,[["key","order"]],null],
 *               ["top",2,[["price",true,false]],10,0]]}
 * </pre>
 *
 * <p>Thread-safe.
 */
public final class QueryJson {

  private static final int VERSION = 1;
  private static final String INPUT = "input";
  private static final String VALUES = "values";
  private static final String STEP = "step";
  private static final String GROUPED = "grouped";
  private static final String WINDOW = "window";
  private static final String JOIN = "join";
  private static final String TOP = "top";
  private static final String UNION = "union";

  private static final JsonMapper MAPPER =
      StrictJson.mapper(3 * Expression.MAX_DEPTH, PlanJson.MAX_BYTES);

  private QueryJson() {}

  /** A query as bytes. */
  public static byte[] write(RelationalQuery query) {
    return bytes(json(query));
  }

  static ObjectNode newObject() {
    return MAPPER.createObjectNode();
  }

  static ObjectNode json(RelationalQuery query) {
    ObjectNode root = newObject().put("version", VERSION);
    append(query.root(), root.putArray("relations"));
    return root;
  }

  static byte[] bytes(ObjectNode tree) {
    try {
      return MAPPER.writeValueAsBytes(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of strings can be written as JSON", e);
    }
  }

  /** Appends a relation after its inputs, and says at which position it is. */
  private static int append(Relation relation, ArrayNode relations) {
    int[] inputs = relation.inputs().stream().mapToInt(input -> append(input, relations)).toArray();
    ArrayNode array = MAPPER.createArrayNode();
    if (relation instanceof Relation.Input input) {
      array.add(INPUT).add(input.name()).add(OperatorJson.ofRow(input.row()));
    } else if (relation instanceof Relation.Values values) {
      array.add(VALUES).add(OperatorJson.ofRow(values.row()));
      for (List<Literal> row : values.rows()) {
        ArrayNode items = array.addArray();
        row.forEach(literal -> items.add(ExpressionWriter.json(literal)));
      }
    } else if (relation instanceof Relation.Step step) {
      array.add(STEP).add(inputs[0]).add(OperatorJson.of(step.operator()));
    } else if (relation instanceof Relation.Grouped grouped) {
      array.add(GROUPED).add(inputs[0]);
      addNames(array, grouped.keys());
      ArrayNode sets = array.addArray();
      grouped.sets().forEach(set -> addNames(sets, set));
      ArrayNode calls = array.addArray();
      for (Relation.GroupedCall call : grouped.calls()) {
        ArrayNode item = calls.addArray().add(OperatorJson.of(call.call())).add(call.distinct());
        call.filter().ifPresentOrElse(item::add, item::addNull);
      }
      ArrayNode levels = array.addArray();
      grouped
          .levels()
          .forEach(level -> addNames(levels.addArray().add(level.name()), level.keys()));
      ArrayNode statistics = array.addArray();
      grouped.statistics().forEach(statistic -> statistics.add(StatisticJson.of(statistic)));
    } else if (relation instanceof Relation.Windowed windowed) {
      array.add(WINDOW).add(inputs[0]);
      windowed.calls().forEach(call -> array.add(ofWindow(call)));
    } else if (relation instanceof Relation.Join join) {
      array.add(JOIN).add(JsonItems.nameOf(join.kind())).add(inputs[0]).add(inputs[1]);
      ArrayNode keys = array.addArray();
      join.keys().forEach(pair -> keys.addArray().add(pair.left()).add(pair.right()));
      join.condition().map(ExpressionWriter::json).ifPresentOrElse(array::add, array::addNull);
    } else if (relation instanceof Relation.Top top) {
      array.add(TOP).add(inputs[0]);
      addKeys(array, top.keys());
      top.count().ifPresentOrElse(array::add, array::addNull);
      array.add(top.offset());
    } else if (relation instanceof Relation.Union) {
      array.add(UNION);
      for (int input : inputs) {
        array.add(input);
      }
    } else {
      throw new IllegalStateException("no JSON of a " + relation.getClass().getSimpleName());
    }
    relations.add(array);
    return relations.size() - 1;
  }

  private static ArrayNode ofWindow(Relation.WindowCall call) {
    ArrayNode item =
        MAPPER.createArrayNode().add(call.name()).add(JsonItems.nameOf(call.function()));
    addArguments(item, call.arguments());
    addNames(item, call.partition());
    addKeys(item, call.order());
    item.add(JsonItems.nameOf(call.frame().unit()));
    addBound(item, call.frame().start());
    addBound(item, call.frame().end());
    return item;
  }

  private static void addArguments(ArrayNode array, WindowArguments arguments) {
    ArrayNode item = array.addArray();
    arguments.column().ifPresentOrElse(item::add, item::addNull);
    arguments.number().ifPresentOrElse(item::add, item::addNull);
    item.add(arguments.ignoresNulls());
  }

  private static void addBound(ArrayNode array, WindowFrame.Bound bound) {
    array.addArray().add(JsonItems.nameOf(bound.side())).add(bound.rows());
  }

  private static void addKeys(ArrayNode array, List<SortKey> keys) {
    ArrayNode items = array.addArray();
    keys.forEach(
        key -> items.addArray().add(key.column()).add(key.descending()).add(key.nullsFirst()));
  }

  private static void addNames(ArrayNode array, List<String> names) {
    ArrayNode items = array.addArray();
    names.forEach(items::add);
  }

  /**
   * The query that was written.
   *
   * @throws InvalidPlanException when the bytes are no such query
   */
  public static RelationalQuery read(byte[] bytes) {
    return query(tree(bytes));
  }

  static JsonNode tree(byte[] bytes) {
    try {
      return MAPPER.readTree(bytes);
    } catch (IOException e) {
      throw new InvalidPlanException("the query is no JSON: " + e.getMessage(), e);
    }
  }

  static RelationalQuery query(JsonNode tree) {
    JsonItems.Members root = JsonItems.members(tree, "the query");
    JsonNode version = root.take("version");
    if (!version.isInt() || version.intValue() != VERSION) {
      throw new InvalidPlanException(
          "the query has version "
              + JsonItems.shown(version)
              + ", and only "
              + VERSION
              + " is known here; all sides need the same version of Anemone");
    }
    List<Relation> relations = new ArrayList<>();
    for (JsonNode item : JsonItems.array(root.take("relations"), "the relations")) {
      relations.add(relation(JsonItems.array(item, "a relation"), relations));
    }
    root.requireNoOthers();
    if (relations.isEmpty()) {
      throw new InvalidPlanException("the query has no relation; its last one is the result");
    }
    return new RelationalQuery(relations.get(relations.size() - 1));
  }

  private static Relation relation(JsonNode array, List<Relation> before) {
    String kind = JsonItems.text(array.path(0), "the kind of a relation");
    return switch (kind) {
      case INPUT -> {
        JsonItems.array(array, 3, "[\"input\", name, columns]");
        yield new Relation.Input(
            JsonItems.text(array.get(1), "the name of an input"), OperatorJson.rowOf(array.get(2)));
      }
      case VALUES -> values(array);
      case STEP -> {
        JsonItems.array(array, 3, "[\"step\", input, operator]");
        yield Relation.Step.of(
            OperatorJson.operatorOf(array.get(2)), earlier(array.get(1), before));
      }
      case GROUPED -> grouped(JsonItems.array(array, 7, "a grouping"), before);
      case WINDOW -> windowed(array, before);
      case JOIN -> join(JsonItems.array(array, 6, "a join"), before);
      case TOP -> top(JsonItems.array(array, 5, "[\"top\", input, keys, count, offset]"), before);
      case UNION -> {
        List<Relation> inputs = new ArrayList<>();
        for (int i = 1; i < array.size(); i++) {
          inputs.add(earlier(array.get(i), before));
        }
        yield new Relation.Union(inputs);
      }
      default ->
          throw new InvalidPlanException(
              "there is no relation "
                  + JsonItems.shown(array.get(0))
                  + "; there are input, values, step, grouped, window, join, top and union");
    };
  }

  private static Relation values(JsonNode array) {
    RowType row = OperatorJson.rowOf(array.path(1));
    List<List<Literal>> rows = new ArrayList<>();
    for (int i = 2; i < array.size(); i++) {
      List<Literal> values = new ArrayList<>();
      for (JsonNode item : JsonItems.array(array.get(i), "a row of values")) {
        if (!(ExpressionReader.expression(item) instanceof Literal literal)) {
          throw new InvalidPlanException("a value is no literal but " + JsonItems.shown(item));
        }
        values.add(literal);
      }
      rows.add(values);
    }
    return new Relation.Values(row, rows);
  }

  private static Relation grouped(JsonNode array, List<Relation> before) {
    List<List<String>> sets = new ArrayList<>();
    for (JsonNode set : JsonItems.array(array.get(3), "the sets of a grouping")) {
      sets.add(OperatorJson.names(set, "the keys of a set"));
    }
    List<Relation.GroupedCall> calls = new ArrayList<>();
    for (JsonNode item : JsonItems.array(array.get(4), "the calls of a grouping")) {
      JsonItems.array(item, 3, "a call [call, distinct, filter]");
      calls.add(
          new Relation.GroupedCall(
              OperatorJson.callOf(item.get(0)),
              JsonItems.bool(item.get(1), "whether a call is of different values"),
              JsonItems.optional(item.get(2), "the filter of a call")));
    }
    List<Relation.Level> levels = new ArrayList<>();
    for (JsonNode item : JsonItems.array(array.get(5), "the levels of a grouping")) {
      JsonItems.array(item, 2, "a level [name, keys]");
      levels.add(
          new Relation.Level(
              JsonItems.text(item.get(0), "the name of a level"),
              OperatorJson.names(item.get(1), "the keys of a level")));
    }
    List<Statistic> statistics = new ArrayList<>();
    for (JsonNode item : JsonItems.array(array.get(6), "the statistics of a grouping")) {
      statistics.add(StatisticJson.read(item));
    }
    return new Relation.Grouped(
        earlier(array.get(1), before),
        OperatorJson.names(array.get(2), "the keys of a grouping"),
        sets,
        calls,
        levels,
        statistics);
  }

  private static Relation join(JsonNode array, List<Relation> before) {
    List<Relation.KeyPair> keys = new ArrayList<>();
    for (JsonNode item : JsonItems.array(array.get(4), "the keys of a join")) {
      JsonItems.array(item, 2, "a pair of keys [left, right]");
      keys.add(
          new Relation.KeyPair(
              JsonItems.text(item.get(0), "the left key of a join"),
              JsonItems.text(item.get(1), "the right key of a join")));
    }
    return new Relation.Join(
        JsonItems.constant(array.get(1), JoinKind.values(), "the kind of a join"),
        earlier(array.get(2), before),
        earlier(array.get(3), before),
        keys,
        array.get(5).isNull()
            ? Optional.empty()
            : Optional.of(ExpressionReader.expression(array.get(5))));
  }

  private static Relation top(JsonNode array, List<Relation> before) {
    List<SortKey> keys = keys(array.get(2));
    return new Relation.Top(
        earlier(array.get(1), before),
        keys,
        array.get(3).isNull()
            ? OptionalLong.empty()
            : OptionalLong.of(JsonItems.whole(array.get(3), "the count of a top")),
        JsonItems.whole(array.get(4), "the offset of a top"));
  }

  private static List<SortKey> keys(JsonNode array) {
    List<SortKey> keys = new ArrayList<>();
    for (JsonNode item : JsonItems.array(array, "the keys of an order")) {
      JsonItems.array(item, 3, "a key of an order [column, descending, nulls first]");
      keys.add(
          new SortKey(
              JsonItems.text(item.get(0), "the column of an order"),
              JsonItems.bool(item.get(1), "whether an order descends"),
              JsonItems.bool(item.get(2), "whether nulls come first")));
    }
    return keys;
  }

  private static Relation windowed(JsonNode array, List<Relation> before) {
    List<Relation.WindowCall> calls = new ArrayList<>();
    for (int i = 2; i < array.size(); i++) {
      JsonNode item = JsonItems.array(array.get(i), 8, "a function of a window");
      calls.add(
          new Relation.WindowCall(
              JsonItems.text(item.get(0), "the name of a function of a window"),
              JsonItems.constant(item.get(1), WindowFunction.values(), "the function of a window"),
              arguments(item.get(2)),
              OperatorJson.names(item.get(3), "the partition of a window"),
              keys(item.get(4)),
              new WindowFrame(
                  JsonItems.constant(item.get(5), WindowFrame.Unit.values(), "the unit of a frame"),
                  bound(item.get(6)),
                  bound(item.get(7)))));
    }
    return new Relation.Windowed(earlier(array.path(1), before), calls);
  }

  private static WindowArguments arguments(JsonNode node) {
    JsonNode array =
        JsonItems.array(node, 3, "arguments [column, number, whether nulls are ignored]");
    return new WindowArguments(
        JsonItems.optional(array.get(0), "the column of a window"),
        array.get(1).isNull()
            ? OptionalLong.empty()
            : OptionalLong.of(JsonItems.whole(array.get(1), "the number of a window")),
        JsonItems.bool(array.get(2), "whether nulls are ignored"));
  }

  private static WindowFrame.Bound bound(JsonNode node) {
    JsonItems.array(node, 2, "the bound of a frame [side, rows]");
    return new WindowFrame.Bound(
        JsonItems.constant(node.get(0), WindowFrame.Side.values(), "the side of a bound"),
        JsonItems.whole(node.get(1), "the rows of a bound"));
  }

  private static Relation earlier(JsonNode node, List<Relation> before) {
    int position = JsonItems.integer(node, "the position of an input");
    if (position < 0 || position >= before.size()) {
      throw new InvalidPlanException(
          "a relation reads the one at "
              + position
              + ", and only "
              + before.size()
              + " stand before it");
    }
    return before.get(position);
  }
}
