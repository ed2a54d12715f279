// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.Plans;
import org.junit.jupiter.api.Test;

class PushDataFlowPassTest {

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "PushDataFlowPass",
        Plans.lastStep(Plans.wordCount(), Plans.CONTEXT, new PushDataFlowPass()));
  }

  @Test
  void aConsumerThatAlsoWaitsForItsProducerPulls() {
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("lines", 1, 1))
            .add(Plans.operator("view"))
            .add(Plans.operator("count"))
            .add(Plans.operator("top"))
            .add(Plans.oneToOne("e1", "lines", "view"))
            .add(Plans.groupByKey("e2", "lines", "count"))
            .add(Plans.sideInput("e3", "view", "count"))
            .add(Plans.groupByKey("e4", "count", "top"))
            .build();
    IRDag after = grouped(dag);
    assertThat(after.edge("e2").property(DataFlow.class)).contains(DataFlow.PULL);
    assertThat(after.edge("e4").property(DataFlow.class)).contains(DataFlow.PUSH);
    assertThat(group(after, "count")).isEqualTo(group(after, "top"));
    assertThat(group(after, "lines")).isLessThan(group(after, "count"));
  }

  @Test
  void oneOfTwoWaysBetweenTheSameVerticesWaitsForTheOther() {
    // The join of a data set with what was counted of it: words cannot push to join, and so
    // count cannot be in the group of both.
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("words", 1, 1))
            .add(Plans.operator("count"))
            .add(Plans.operator("join"))
            .add(Plans.groupByKey("e1", "words", "count"))
            .add(Plans.oneToOne("e2", "words", "join"))
            .add(Plans.groupByKey("e3", "count", "join"))
            .build();
    IRDag after = grouped(dag);
    assertThat(after.edge("e1").property(DataFlow.class)).contains(DataFlow.PUSH);
    assertThat(after.edge("e3").property(DataFlow.class)).contains(DataFlow.PULL);
    assertThat(group(after, "words")).isEqualTo(group(after, "count"));
    assertThat(group(after, "join")).isGreaterThan(group(after, "count"));
  }

  @Test
  void shufflesThatWereToldToPullAreLeftAlone() {
    IRDag given = Plans.wordCount().apply(new SetEdgeProperty("e2", DataFlow.PULL));
    assertThat(new PushDataFlowPass().apply(given, Plans.CONTEXT)).isSameAs(given);
  }

  private static IRDag grouped(IRDag dag) {
    return Plans.lastStep(
            dag, Plans.CONTEXT, new PushDataFlowPass(), new DataFlowPass(), new ScheduleGroupPass())
        .after();
  }

  private static int group(IRDag dag, String vertex) {
    return dag.vertex(vertex).property(ScheduleGroup.class).orElseThrow().group();
  }
}
