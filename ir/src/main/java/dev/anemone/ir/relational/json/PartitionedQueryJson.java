// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Queries on partitions as JSON: that of {@link QueryJson}, with the inputs that are replicated.
 *
 * <pre>
 * {"query":{"version":1,"relations":[...]},"replicated":["x1"]}
 * </pre>
 */
final class PartitionedQueryJson {

  private PartitionedQueryJson() {}

  static byte[] write(PartitionedQuery partitioned) {
    ObjectNode root = QueryJson.newObject();
    root.set("query", QueryJson.json(partitioned.query()));
    ArrayNode replicated = root.putArray("replicated");
    partitioned.replicated().forEach(replicated::add);
    return QueryJson.bytes(root);
  }

  /**
   * The query that was written.
   *
   * @throws InvalidPlanException when the bytes are no such query
   */
  static PartitionedQuery read(byte[] bytes) {
    JsonItems.Members root = JsonItems.members(QueryJson.tree(bytes), "the query on partitions");
    RelationalQuery query = QueryJson.query(root.take("query"));
    Set<String> replicated = new LinkedHashSet<>();
    for (JsonNode name : JsonItems.array(root.take("replicated"), "the replicated inputs")) {
      replicated.add(JsonItems.text(name, "the name of a replicated input"));
    }
    root.requireNoOthers();
    try {
      return new PartitionedQuery(query, replicated);
    } catch (IllegalArgumentException e) {
      throw new InvalidPlanException(e.getMessage(), e);
    }
  }
}
