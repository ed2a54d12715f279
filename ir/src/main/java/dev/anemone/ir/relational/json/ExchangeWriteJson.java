// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.exchange.Exchange;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.exchange.Partitioning;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is sent over exchanges as JSON.
 *
 * <pre>
 * {"exchange":"x0","row":[...],"partitioning":"hash","keys":["o_key"],"partitions":8,"bytes":4096}
 * </pre>
 *
 * <p>The bytes are there where somebody has estimated them.
 */
final class ExchangeWriteJson {

  private static final String HASH = "hash";
  private static final String BYTES = "bytes";

  private ExchangeWriteJson() {}

  static byte[] write(ExchangeWrite write) {
    ObjectNode root = QueryJson.newObject();
    Partitioning partitioning = write.exchange().partitioning();
    root.put("exchange", write.exchange().name());
    root.set("row", OperatorJson.ofRow(write.exchange().row()));
    root.put(
        "partitioning", partitioning instanceof Partitioning.Hash ? HASH : partitioning.text());
    ArrayNode keys = root.putArray("keys");
    if (partitioning instanceof Partitioning.Hash hash) {
      hash.keys().forEach(keys::add);
    }
    root.put("partitions", write.partitions());
    write.exchange().bytes().ifPresent(bytes -> root.put(BYTES, bytes));
    return QueryJson.bytes(root);
  }

  /**
   * The exchange that was written.
   *
   * @throws InvalidPlanException when the bytes are none
   */
  static ExchangeWrite read(byte[] bytes) {
    JsonItems.Members root = JsonItems.members(QueryJson.tree(bytes), "the exchange");
    String name = JsonItems.text(root.take("exchange"), "the name of the exchange");
    RowType row = OperatorJson.rowOf(root.take("row"));
    String kind = JsonItems.text(root.take("partitioning"), "the partitioning");
    List<String> keys = OperatorJson.names(root.take("keys"), "the keys");
    int partitions = JsonItems.integer(root.take("partitions"), "the number of partitions");
    Optional<JsonNode> given = root.takeIfThere(BYTES);
    OptionalLong size =
        given.isPresent()
            ? OptionalLong.of(JsonItems.whole(given.get(), "the bytes of the exchange"))
            : OptionalLong.empty();
    root.requireNoOthers();
    try {
      return new ExchangeWrite(new Exchange(name, row, partitioning(kind, keys), size), partitions);
    } catch (IllegalArgumentException e) {
      throw new InvalidPlanException(e.getMessage(), e);
    }
  }

  private static Partitioning partitioning(String kind, List<String> keys) {
    if (kind.equals(HASH)) {
      return new Partitioning.Hash(keys);
    }
    return List.of(
            new Partitioning.Spread(),
            new Partitioning.Gather(),
            new Partitioning.Replicate(),
            new Partitioning.Broadcast(),
            new Partitioning.Stay())
        .stream()
        .filter(each -> each.text().equals(kind) && keys.isEmpty())
        .findFirst()
        .orElseThrow(
            () -> new InvalidPlanException("no partitioning: " + kind + " by the keys " + keys));
  }
}
