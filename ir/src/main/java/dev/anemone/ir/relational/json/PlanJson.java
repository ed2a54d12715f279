// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Plans as JSON in UTF-8, in one line of printable ASCII, so that a header of HTTP can carry a
 * short one. Equal plans give equal bytes. An example, with line breaks:
 *
 * <pre>
 * {"version":1,
 *  "scan":[["quantity","decimal(15,2)",true],["price","decimal(15,2)",true]],
 *  "operators":[["filter",["&lt;",["column","quantity"],["literal","decimal(4,2)","24.00"]]],
 *               ["aggregate","partial",[],[["total","sum","price"]]]]}
 * </pre>
 *
 * <p>Thread-safe.
 */
public final class PlanJson {

  /** Largest plan in bytes. */
  public static final int MAX_BYTES = 1 << 20;

  private static final int VERSION = 1;
  private static final String VERSION_FIELD = "version";

  /** Levels of JSON around and within the deepest expression. */
  private static final int MAX_NESTING = 3 * Expression.MAX_DEPTH;

  private static final JsonMapper MAPPER = StrictJson.mapper(MAX_NESTING, MAX_BYTES);

  private PlanJson() {}

  /** A plan as bytes. */
  public static byte[] write(RelationalPlan plan) {
    ObjectNode root = MAPPER.createObjectNode().put(VERSION_FIELD, VERSION);
    root.set("scan", OperatorJson.ofRow(plan.scan()));
    ArrayNode operators = root.putArray("operators");
    plan.operators().forEach(operator -> operators.add(OperatorJson.of(operator)));
    return bytes(root);
  }

  /** An operator as bytes. */
  public static byte[] write(RelationalOperator operator) {
    ObjectNode root = MAPPER.createObjectNode().put(VERSION_FIELD, VERSION);
    root.set("operator", OperatorJson.of(operator));
    return bytes(root);
  }

  /**
   * The plan that was written.
   *
   * @throws InvalidPlanException when the bytes are no such plan
   */
  public static RelationalPlan readPlan(byte[] bytes) {
    JsonItems.Members root = read(bytes);
    RowType scan = OperatorJson.rowOf(root.take("scan"));
    List<RelationalOperator> operators = new ArrayList<>();
    for (JsonNode operator : JsonItems.array(root.take("operators"), "the operators")) {
      operators.add(OperatorJson.operatorOf(operator));
    }
    root.requireNoOthers();
    return new RelationalPlan(scan, operators);
  }

  /**
   * The operator that was written. Whether it has a meaning depends on the rows that go in.
   *
   * @throws InvalidPlanException when the bytes are no such operator
   */
  public static RelationalOperator readOperator(byte[] bytes) {
    JsonItems.Members root = read(bytes);
    RelationalOperator operator = OperatorJson.operatorOf(root.take("operator"));
    root.requireNoOthers();
    return operator;
  }

  private static JsonItems.Members read(byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      throw new InvalidPlanException(
          "a plan of " + bytes.length + " bytes is too large; " + MAX_BYTES + " are allowed");
    }
    JsonNode tree;
    try {
      tree = MAPPER.readTree(bytes);
    } catch (IOException e) {
      throw new InvalidPlanException("the plan is no JSON: " + reason(e), e);
    }
    JsonItems.Members root = JsonItems.members(tree, "the plan");
    JsonNode version = root.take(VERSION_FIELD);
    if (!version.isInt() || version.intValue() != VERSION) {
      throw new InvalidPlanException(
          "the plan has version "
              + JsonItems.shown(version)
              + ", and only "
              + VERSION
              + " is known here; both sides need the same version of Anemone");
    }
    return root;
  }

  private static String reason(IOException e) {
    return e instanceof JsonProcessingException json
        ? json.getOriginalMessage()
            + (json.getLocation() == null ? "" : " at byte " + json.getLocation().getByteOffset())
        : e.toString();
  }

  private static byte[] bytes(ObjectNode root) {
    byte[] bytes;
    try {
      bytes = MAPPER.writeValueAsBytes(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of strings can be written as JSON", e);
    }
    if (bytes.length > MAX_BYTES) {
      throw new InvalidPlanException(
          "the plan has " + bytes.length + " bytes; " + MAX_BYTES + " are allowed");
    }
    return bytes;
  }
}
