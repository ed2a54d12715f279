// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.protocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.ValueType;
import dev.anemone.ir.relational.json.PlanJson;
import dev.anemone.ir.relational.json.StrictJson;
import dev.anemone.ndp.engine.split.Split;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Requests as JSON in one line of printable ASCII. Unknown members are refused. An example, with
 * line breaks:
 *
 * <pre>
 * {"version":1,
 *  "format":{"kind":"csv","delimiter":"|","quote":"\"","escape":"\"","header":false,"null":"",
 *            "quotedNewlines":false,"compression":"none"},
 *  "columns":[["quantity","decimal(15,2)",true],["price","decimal(15,2)",true]],
 *  "split":[0,134217728],
 *  "plan":{"version":1,"scan":[["price","decimal(15,2)",true]],"operators":[]}}
 * </pre>
 */
public final class RequestJson {

  private static final int VERSION = 1;

  /** Levels of JSON around and within the deepest expression of the plan. */
  private static final int MAX_NESTING = 4 * Expression.MAX_DEPTH;

  private static final JsonMapper MAPPER = StrictJson.mapper(MAX_NESTING, PlanJson.MAX_BYTES);

  private RequestJson() {}

  /** A request as bytes. */
  public static byte[] write(PlanRequest request) {
    ObjectNode root = MAPPER.createObjectNode().put("version", VERSION);
    root.set("format", FormatJson.write(request.format(), MAPPER.createObjectNode()));
    ArrayNode columns = root.putArray("columns");
    for (Field field : request.columns().fields()) {
      columns
          .addArray()
          .add(field.name())
          .add(field.type().type().text())
          .add(field.type().nullable());
    }
    root.putArray("split").add(request.split().start()).add(request.split().length());
    try {
      root.set("plan", MAPPER.readTree(PlanJson.write(request.plan())));
      return MAPPER.writeValueAsBytes(root);
    } catch (IOException e) {
      throw new IllegalStateException("a tree of strings can be written as JSON", e);
    }
  }

  /**
   * The request that was written.
   *
   * @throws InvalidPlanException when the bytes are no such request
   */
  public static PlanRequest read(byte[] bytes) {
    if (bytes.length > NdpHttp.MAX_REQUEST_BYTES) {
      throw new InvalidPlanException(
          "a request of "
              + bytes.length
              + " bytes is too large; "
              + NdpHttp.MAX_REQUEST_BYTES
              + " are allowed");
    }
    try {
      JsonNode root = MAPPER.readTree(bytes);
      JsonParts.requireMembers(
          root, Set.of("version", "format", "columns", "split", "plan"), "the request");
      if (JsonParts.whole(root.get("version"), "the version") != VERSION) {
        throw new InvalidPlanException(
            "the request's version is not "
                + VERSION
                + ", the only one known here; both sides need the same version of Anemone");
      }
      return new PlanRequest(
          FormatJson.read(root.get("format")),
          columns(root.get("columns")),
          split(root.get("split")),
          PlanJson.readPlan(MAPPER.writeValueAsBytes(root.get("plan"))));
    } catch (JsonProcessingException e) {
      throw new InvalidPlanException("the request is no JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new InvalidPlanException("the request is no JSON: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new InvalidPlanException("the request has no meaning: " + e.getMessage(), e);
    }
  }

  private static RowType columns(JsonNode node) {
    if (node.size() > RowType.MAX_FIELDS) {
      throw new InvalidPlanException("the table has more than " + RowType.MAX_FIELDS + " columns");
    }
    List<Field> fields = new ArrayList<>();
    for (JsonNode item : JsonParts.array(node, "the columns")) {
      JsonNode field = JsonParts.array(item, 3, "a column [name, type, nullable]");
      fields.add(
          new Field(
              JsonParts.text(field.get(0), "the name of a column"),
              new ValueType(
                  DataType.parse(JsonParts.text(field.get(1), "the type of a column")),
                  JsonParts.bool(field.get(2), "whether a column is nullable"))));
    }
    return new RowType(fields);
  }

  private static Split split(JsonNode node) {
    JsonNode split = JsonParts.array(node, 2, "the split [start, length]");
    return new Split(
        JsonParts.whole(split.get(0), "the start of the split"),
        JsonParts.whole(split.get(1), "the length of the split"));
  }
}
