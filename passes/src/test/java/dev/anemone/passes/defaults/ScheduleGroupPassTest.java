// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.PassException;
import dev.anemone.passes.Plans;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScheduleGroupPassTest {

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "ScheduleGroupPass",
        Plans.lastStep(
            Plans.withSideInputOfSameData(),
            Plans.CONTEXT,
            new DataFlowPass(),
            new ScheduleGroupPass()));
  }

  @Test
  void independentBranchesDoNotWaitForEachOther() {
    IRDag dag =
        grouped(
            IRDag.builder()
                .add(Plans.source("a", 1, 1))
                .add(Plans.source("b", 1, 1))
                .add(Plans.operator("countA"))
                .add(Plans.operator("countB"))
                .add(Plans.groupByKey("e1", "a", "countA"))
                .add(Plans.groupByKey("e2", "b", "countB"))
                .build());
    assertThat(group(dag, "a")).isEqualTo(group(dag, "b")).isZero();
    assertThat(group(dag, "countA")).isEqualTo(group(dag, "countB")).isEqualTo(1);
  }

  @Test
  void aStageThatWaitsForASampleComesAfterIt() {
    IRDag sampled =
        Plans.wordCount()
            .apply(
                InsertSampling.of("e2", Set.of("lines", "words"), List.of(0), "sizes", "Sampling"));
    IRDag dag = grouped(sampled);
    for (IRVertex vertex : dag.vertices()) {
      int expected =
          switch (vertex.insertedBy().isEmpty() ? vertex.id() : vertex.getClass().getSimpleName()) {
            case "SampledVertex", "MetricCollectionVertex" -> 0;
            case "MetricAggregationVertex" -> 1;
            case "lines", "words" -> 2;
            default -> 3;
          };
      assertThat(group(dag, vertex.id())).as(vertex.id()).isEqualTo(expected);
    }
  }

  @Test
  void aMaterialisedOneToOneEdgeSeparatesStages() {
    IRDag dag =
        grouped(Plans.wordCount().apply(new SetEdgeProperty("e1", DataStore.SHARED_FILE_SYSTEM)));
    assertThat(group(dag, "words")).isGreaterThan(group(dag, "lines"));
  }

  @Test
  void aGivenGroupIsKeptAndLaterOnesFollow() {
    IRDag dag =
        grouped(Plans.wordCount().apply(new SetVertexProperty("words", new ScheduleGroup(4))));
    assertThat(group(dag, "lines")).isEqualTo(4);
    assertThat(group(dag, "count")).isEqualTo(5);
  }

  @Test
  void aGivenGroupThatIsTooEarlyIsAnError() {
    IRDag given = Plans.wordCount().apply(new SetVertexProperty("count", new ScheduleGroup(0)));
    assertThatThrownBy(() -> grouped(given))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("schedule group 0")
        .hasMessageContaining("at least 1");
  }

  @Test
  void aPushThatCannotBeIsAnErrorThatNamesTheEdge() {
    IRDag dag = Plans.withSideInputOfSameData().apply(new SetEdgeProperty("e3", DataFlow.PUSH));
    assertThatThrownBy(() -> grouped(dag))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("edge e3 pushes");
  }

  @Test
  void pushesAlongAllWaysJoinWhatLiesBetween() {
    IRDag dag =
        grouped(
            IRDag.builder()
                .add(Plans.source("a", 1, 1))
                .add(Plans.operator("b"))
                .add(Plans.operator("c"))
                .add(Plans.groupByKey("e1", "a", "c").with(DataFlow.PUSH))
                .add(Plans.groupByKey("e2", "a", "b").with(DataFlow.PUSH))
                .add(Plans.groupByKey("e3", "b", "c").with(DataFlow.PUSH))
                .build());
    assertThat(group(dag, "a")).isEqualTo(group(dag, "b")).isEqualTo(group(dag, "c"));
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done = grouped(Plans.wordCount());
    assertThat(new ScheduleGroupPass().apply(done, Plans.CONTEXT)).isSameAs(done);
  }

  private static IRDag grouped(IRDag dag) {
    return Plans.lastStep(dag, Plans.CONTEXT, new DataFlowPass(), new ScheduleGroupPass()).after();
  }

  private static int group(IRDag dag, String vertex) {
    return dag.vertex(vertex).property(ScheduleGroup.class).orElseThrow().group();
  }
}
