// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.ndpfuzz;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.protocol.PlanRequest;
import dev.anemone.ndp.protocol.RequestJson;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The file that may be read, the one that must not be, and right requests of a user. */
record FuzzTarget(String nameNode, String user) {
  static final String FILE = "/tables/numbers.csv";

  /** Nobody asks for it. */
  static final String CANARY = "/tables/secret/canary.csv";

  /** Stands in the canaries, and must not stand in any answer. */
  static final String CANARY_TEXT = "tweetingCanary";

  private static final int ROWS = 5_000;
  private static final RowType ROW =
      RowType.of(Field.nullable("id", SimpleType.INT64), Field.nullable("name", SimpleType.STRING));

  static byte[] content() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ROWS; i++) {
      text.append(i).append("|name of ").append(i % 97).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  static byte[] canary() {
    return ("1|" + CANARY_TEXT + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The query of an address that names the user and the name node. */
  String query() {
    return "op=OPEN&user.name=" + user + "&namenoderpcaddress=" + nameNode;
  }

  /** Right requests: rows, a filter of a split, a sum. */
  static List<byte[]> bodies() {
    return List.of(
        body(RelationalPlan.of(ROW), new Split(0, 2_000)),
        body(
            RelationalPlan.of(
                ROW,
                new Filter(
                    new Comparison(Comparison.Relation.LESS, new Column("id"), Literal.of(10L)))),
            new Split(1_000, 30_000)),
        body(
            RelationalPlan.of(
                ROW,
                Aggregate.complete(
                        List.of("name"),
                        List.of(AggregateCall.of("total", AggregateFunction.SUM, "id")))
                    .partialHalf()),
            Split.WHOLE));
  }

  private static byte[] body(RelationalPlan plan, Split split) {
    return RequestJson.write(new PlanRequest(CsvFormat.of('|'), ROW, split, plan));
  }
}
