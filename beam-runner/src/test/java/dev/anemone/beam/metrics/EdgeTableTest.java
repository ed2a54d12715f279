// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.engine.EdgeCounters;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EdgeTableTest {

  @Test
  void everyEdgeHasALineInTheOrderOfTheNumbersOfTheIds() {
    EdgeCounters large =
        new EdgeCounters(
            new EdgeCounters.Written(20_000_000, 2_160_000_000L, 1_950_000_000),
            new EdgeCounters.Spilled(12, 3),
            new EdgeCounters.Disk(250_000, 249_500, 5),
            EdgeCounters.Pooled.NONE,
            EdgeCounters.Cached.NONE,
            new EdgeCounters.Pushed(7_340_000, 7_000_000, 64),
            EdgeCounters.Fetched.NONE,
            134_217_728);

    String table =
        EdgeTable.of(
            Map.of("e10", EdgeCounters.NONE, "e3+e11", large, "e2", EdgeCounters.NONE),
            Map.of("e3+e11", List.of(100_000_000L, 450_000_000L, 50_000_000L), "e2", List.of(0L)));

    assertThat(table)
        .isEqualTo(
            """
edge       records     raw  stored  max task  max/mean  spills    reads    seeks  pushed  fallen back  peak memory
e2               0     0 B     0 B       0 B         -       0        0        0     0 B          0 B          0 B
e3+e11  20,000,000  2.2 GB  2.0 GB    450 MB      2.25      12  250,000  249,500  7.3 MB         64 B       134 MB
e10              0     0 B     0 B         -         -       0        0        0     0 B          0 B          0 B
""");
  }

  @Test
  void whatCopiesOfThePoolGaveHasAColumnWhereThereAreSome() {
    EdgeCounters read =
        new EdgeCounters(
            EdgeCounters.Written.NONE,
            EdgeCounters.Spilled.NONE,
            EdgeCounters.Disk.NONE,
            EdgeCounters.Pooled.NONE,
            new EdgeCounters.Cached(3, 1, 2_500_000, 0, 0),
            EdgeCounters.Pushed.NONE,
            EdgeCounters.Fetched.NONE,
            0);

    assertThat(EdgeTable.of(Map.of("e1", read, "e2", EdgeCounters.NONE), Map.of()).lines())
        .satisfiesExactly(
            titles -> assertThat(titles).endsWith("  from cache"),
            first -> assertThat(first).endsWith("      2.5 MB"),
            second -> assertThat(second).endsWith("         0 B"));
  }

  @Test
  void whatWentToAPoolHasColumnsWhereThereIsOne() {
    EdgeCounters read =
        new EdgeCounters(
            EdgeCounters.Written.NONE,
            EdgeCounters.Spilled.NONE,
            EdgeCounters.Disk.NONE,
            new EdgeCounters.Pooled(2_500_000, 70, 5_000_000),
            new EdgeCounters.Cached(0, 1, 0, 0, 0),
            EdgeCounters.Pushed.NONE,
            EdgeCounters.Fetched.NONE,
            0);

    assertThat(EdgeTable.of(Map.of("e1", read, "e2", EdgeCounters.NONE), Map.of()).lines())
        .satisfiesExactly(
            titles -> assertThat(titles).endsWith("  in pool  overflowed  from pool  from cache"),
            first -> assertThat(first).endsWith("   2.5 MB        70 B     5.0 MB         0 B"),
            second -> assertThat(second).endsWith("      0 B         0 B        0 B         0 B"));
  }

  @Test
  void aJobWithoutEdgesSaysSo() {
    assertThat(EdgeTable.of(Map.of(), Map.of()))
        .isEqualTo("Nothing went between the stages of this job.\n");
  }
}
