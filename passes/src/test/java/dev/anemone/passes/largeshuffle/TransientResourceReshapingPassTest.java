// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.largeshuffle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.OptimizationStep.Outcome;
import dev.anemone.passes.Plans;
import org.junit.jupiter.api.Test;

class TransientResourceReshapingPassTest {

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches("TransientResourceReshapingPass", reshaped(Plans.joinWithOwnTotals()));
  }

  @Test
  void onlyWhatTransientProducersShuffleGetsARelay() {
    OptimizationStep step = reshaped(Plans.joinWithOwnTotals());
    IRDag dag = step.after();
    assertThat(dag.edge("e1").to()).isEqualTo("totals-aggregation-0");
    assertThat(dag.edge("e2").to()).isEqualTo("join-aggregation-0");
    assertThat(dag.edge("e3").to()).isEqualTo("join");
    assertThat(dag.vertex("join-aggregation-0").property(ResourcePriority.class))
        .contains(ResourcePriority.RESERVED);
    assertThat(step.notes())
        .containsExactly(
            "shuffle e1 (lines to totals) is aggregated: containers of lines may be taken away",
            "shuffle e2 (lines to join) is aggregated: containers of lines may be taken away",
            "shuffle e3 (totals to join) is not aggregated: containers of totals are not"
                + " transient");
  }

  @Test
  void producersThatCanRunTogetherShareARelay() {
    assertThat(reshaped(Plans.join()).after().incoming("join-aggregation-0"))
        .extracting(IREdge::from)
        .containsExactly("orders", "lines");
  }

  @Test
  void aShuffleWhoseWayWasDecidedIsLeftAlone() {
    OptimizationStep step =
        reshaped(Plans.wordCount().apply(new SetEdgeProperty("e2", DataFlow.PULL)));
    assertThat(step.outcome()).isEqualTo(Outcome.UNCHANGED);
    assertThat(step.notes())
        .containsExactly("shuffle e2 (words to count) is not aggregated: it was given DataFlow");
  }

  @Test
  void returnsTheSameGraphWhenAllProducersStay() {
    IRDag dag = Plans.wordCount().apply(new SetVertexProperty("lines", ResourcePriority.RESERVED));
    assertThat(reshaped(dag).outcome()).isEqualTo(Outcome.UNCHANGED);
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done = reshaped(Plans.join()).after();
    assertThat(new TransientResourceReshapingPass().apply(done, Plans.CONTEXT)).isSameAs(done);
  }

  private static OptimizationStep reshaped(IRDag dag) {
    return Plans.lastStep(
        dag,
        Plans.CONTEXT,
        new TransientResourcePriorityPass(),
        new TransientResourceReshapingPass());
  }
}
