// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.impl.schema.BeamPCollectionTable;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.junit.jupiter.api.Test;

/** Joins of collections, which do not tell how many rows they have. */
class UnknownSizesTest {

  private static final Map<String, BeamSqlTable> TABLES = new HashMap<>();

  static {
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create());
    for (String name : List.of("a", "b", "c")) {
      Schema schema =
          Schema.builder()
              .addInt64Field("k")
              .addInt64Field("v")
              .addInt64Field("w")
              .addInt64Field("x")
              .build();
      TABLES.put(
          name, new BeamPCollectionTable<>(pipeline.apply("Table " + name, Create.empty(schema))));
    }
    TABLES.put(
        "small",
        new MemoryTable(
            Schema.builder().addInt64Field("k").addInt64Field("v").build(), List.of(), 50));
    TABLES.put(
        "big",
        new MemoryTable(
            Schema.builder().addInt64Field("k").addInt64Field("v").build(), List.of(), 5_000));
  }

  private static String plan(String query) {
    return RelOptUtil.toString(Plans.of(query, TABLES, "--columnar=off"));
  }

  @Test
  void bothSidesAreShuffled() {
    assertThat(plan("SELECT COUNT(*) FROM a JOIN b ON a.k = b.k"))
        .contains("ShuffleJoinRel")
        .doesNotContain("BroadcastJoinRel");
  }

  @Test
  void filtersMakeNoSideSmall() {
    assertThat(
            plan(
                "SELECT COUNT(*) FROM a JOIN b ON a.k = b.k"
                    + " WHERE a.v = 1 AND a.w = 2 AND a.x = 3 AND b.x = 4 AND b.v = 5 AND b.w = 6"))
        .contains("ShuffleJoinRel")
        .doesNotContain("BroadcastJoinRel");
  }

  @Test
  void aTableThatIsKnownToBeSmallIsBroadcast() {
    assertThat(plan("SELECT COUNT(*) FROM small JOIN a ON a.k = small.k"))
        .containsPattern("BroadcastJoinRel.*\\n.*\\n *BeamIOSourceRel\\(table=\\[\\[beam, a\\]\\]");
  }

  @Test
  void withoutAKeyTheSmallerSideIsBroadcast() {
    assertThat(plan("SELECT COUNT(*) FROM a JOIN b ON a.k < b.k"))
        .contains("BroadcastJoinRel")
        .doesNotContain("ShuffleJoinRel");
    assertThat(plan("SELECT COUNT(*) FROM big JOIN a ON a.k < big.k"))
        .containsPattern("BroadcastJoinRel.*\\n.*\\n *BeamIOSourceRel\\(table=\\[\\[beam, a\\]\\]");
  }

  @Test
  void aKeyComesBeforeOtherConditions() {
    assertThat(
            plan(
                "SELECT COUNT(*) FROM a, b, c WHERE a.k = b.k AND b.v = c.v"
                    + " AND (a.v = 1 OR c.k = 2) AND (a.w = 3 OR c.w = 4) AND (a.x = 5 OR c.x = 6)"
                    + " AND (a.v = 7 OR c.x = 8)"))
        .doesNotContain("BroadcastJoinRel")
        .doesNotContainPattern("JoinRel\\(condition=\\[(AND\\()?OR");
  }
}
