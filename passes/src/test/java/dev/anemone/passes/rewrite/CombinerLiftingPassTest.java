// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.Plans;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CombinerLiftingPassTest {

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "CombinerLiftingPass",
        Plans.lastStep(Plans.wordCount(), Plans.CONTEXT, new CombinerLiftingPass()));
  }

  @Test
  void doesNotApplyTwice() {
    IRDag lifted =
        Plans.lastStep(Plans.wordCount(), Plans.CONTEXT, new CombinerLiftingPass()).after();
    assertThat(new CombinerLiftingPass().apply(lifted, Plans.CONTEXT)).isSameAs(lifted);
  }

  @Test
  void doesNotApplyToAnAggregationWithoutShuffle() {
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("lines", 1, 1))
            .add(Plans.operator("count").withCombine(Plans.split("count")))
            .add(Plans.oneToOne("e1", "lines", "count"))
            .build();
    assertThat(new CombinerLiftingPass().apply(dag, Plans.CONTEXT)).isSameAs(dag);
  }

  @Test
  void doesNotApplyWhenPartOfTheInputIsNotShuffled() {
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("lines", 1, 1))
            .add(Plans.source("more", 1, 1))
            .add(Plans.operator("count").withCombine(Plans.split("count")))
            .add(Plans.groupByKey("e1", "lines", "count"))
            .add(Plans.oneToOne("e2", "more", "count"))
            .build();
    assertThat(new CombinerLiftingPass().apply(dag, Plans.CONTEXT)).isSameAs(dag);
  }

  @Test
  void doesNotApplyToAVertexThatIsSampledOrWhoseInputIsMeasured() {
    IRDag measured =
        Plans.wordCount()
            .apply(
                InsertSampling.of("e2", Set.of("lines", "words"), List.of(0), "sizes", "Sampling"));
    assertThat(new CombinerLiftingPass().apply(measured, Plans.CONTEXT)).isSameAs(measured);
    IRDag consumerSampled =
        IRDag.builder()
            .add(Plans.source("lines", 1, 1))
            .add(Plans.operator("count").withCombine(Plans.split("count")))
            .add(Plans.operator("top"))
            .add(Plans.groupByKey("e1", "lines", "count"))
            .add(Plans.groupByKey("e2", "count", "top"))
            .build()
            .apply(InsertSampling.of("e2", Set.of("count"), List.of(0), "sizes", "Sampling"));
    assertThat(new CombinerLiftingPass().apply(consumerSampled, Plans.CONTEXT))
        .isSameAs(consumerSampled);
  }
}
