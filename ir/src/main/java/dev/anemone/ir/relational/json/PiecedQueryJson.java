// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.exchange.PiecedQuery;
import dev.anemone.ir.relational.query.RelationalQuery;

/**
 * Queries on pieces as JSON: that of {@link QueryJson}, with the input that comes in pieces.
 *
 * <pre>
 * {"query":{"version":1,"relations":[...]},"pieces":"x0"}
 * </pre>
 */
final class PiecedQueryJson {

  private PiecedQueryJson() {}

  static byte[] write(PiecedQuery pieced) {
    ObjectNode root = QueryJson.newObject();
    root.set("query", QueryJson.json(pieced.query()));
    root.put("pieces", pieced.pieces());
    return QueryJson.bytes(root);
  }

  /**
   * The query that was written.
   *
   * @throws InvalidPlanException when the bytes are no such query
   */
  static PiecedQuery read(byte[] bytes) {
    JsonItems.Members root = JsonItems.members(QueryJson.tree(bytes), "the query on pieces");
    RelationalQuery query = QueryJson.query(root.take("query"));
    String pieces = JsonItems.text(root.take("pieces"), "the name of the input in pieces");
    root.requireNoOthers();
    try {
      return new PiecedQuery(query, pieces);
    } catch (IllegalArgumentException e) {
      throw new InvalidPlanException(e.getMessage(), e);
    }
  }
}
