// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.largeshuffle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.OptimizationStep.Outcome;
import dev.anemone.passes.Plans;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import dev.anemone.passes.skew.SkewSamplingReshapingPass;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LargeShuffleReshapingPassTest {

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches("LargeShuffleReshapingPass", reshaped(Plans.join()));
  }

  @Test
  void producersThatCanRunTogetherShareARelay() {
    OptimizationStep step = reshaped(Plans.join());
    assertThat(producersOf(step.after(), "join-aggregation-0")).containsExactly("orders", "lines");
    assertThat(step.notes())
        .containsExactly(
            "shuffle e1 (orders to join) is aggregated",
            "shuffle e2 (lines to join) is aggregated, together with e1");
  }

  @Test
  void aSideThatMayBeDividedHasARelayOfItsOwn() {
    IRDag join = Plans.join();
    IRDag dag = join.toBuilder().replace(join.edge("e1").with(Divisibility.DIVISIBLE)).build();
    OptimizationStep step = reshaped(dag);
    assertThat(producersOf(step.after(), "join-aggregation-0")).containsExactly("orders");
    assertThat(producersOf(step.after(), "join-aggregation-1")).containsExactly("lines");
    assertThat(step.notes().get(1))
        .isEqualTo(
            "shuffle e2 (lines to join) is aggregated, by itself, so that a hot key of one side of"
                + " the join can be divided");
  }

  @Test
  void whatARecombinerSharesIsLeftAlone() {
    IRDag dag =
        Plans.lastStep(
                Plans.wordCount(),
                Plans.CONTEXT,
                new CombinerLiftingPass(),
                new ParallelismPass(),
                new SkewSamplingReshapingPass())
            .after();
    OptimizationStep step = reshaped(dag);
    assertThat(step.after()).isSameAs(dag);
    assertThat(step.notes().get(0))
        .contains("is not aggregated: a recombiner shares its data with its consumer");
  }

  @Test
  void aProducerThatWaitsForAnotherHasARelayOfItsOwn() {
    OptimizationStep step = reshaped(Plans.joinWithOwnTotals());
    assertThat(producersOf(step.after(), "totals-aggregation-0")).containsExactly("lines");
    assertThat(producersOf(step.after(), "join-aggregation-0")).containsExactly("lines");
    assertThat(producersOf(step.after(), "join-aggregation-1")).containsExactly("totals");
    assertThat(step.notes())
        .containsExactly(
            "shuffle e1 (lines to totals) is aggregated",
            "shuffle e2 (lines to join) is aggregated",
            "shuffle e3 (totals to join) is aggregated, by itself, since its producer cannot run"
                + " beside those of e2");
  }

  @Test
  void aLaterShuffleSharesWithTheFirstThatItCanShareWith() {
    // Of a, totals and b, only totals has to wait, for a.
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("a", 1, 1))
            .add(Plans.source("b", 1, 1))
            .add(Plans.operator("totals"))
            .add(Plans.operator("join"))
            .add(Plans.groupByKey("e1", "a", "totals"))
            .add(Plans.groupByKey("e2", "a", "join"))
            .add(Plans.groupByKey("e3", "totals", "join"))
            .add(Plans.groupByKey("e4", "b", "join"))
            .build();
    IRDag after = reshaped(dag).after();
    assertThat(producersOf(after, "join-aggregation-0")).containsExactly("a", "b");
    assertThat(producersOf(after, "join-aggregation-1")).containsExactly("totals");
  }

  @Test
  void whatOneConsumerPutsTogetherMayKeepOthersApart() {
    // The first join makes a and b run together. So the second cannot join a with late, which
    // waits for b, although nothing that a reads or writes waits for late.
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("a", 1, 1))
            .add(Plans.source("b", 1, 1))
            .add(Plans.operator("first"))
            .add(Plans.operator("late"))
            .add(Plans.operator("second"))
            .add(Plans.groupByKey("e1", "a", "first"))
            .add(Plans.groupByKey("e2", "b", "first"))
            .add(Plans.groupByKey("e3", "b", "late"))
            .add(Plans.groupByKey("e4", "a", "second"))
            .add(Plans.groupByKey("e5", "late", "second"))
            .build();
    IRDag after = reshaped(dag).after();
    assertThat(producersOf(after, "first-aggregation-0")).containsExactly("a", "b");
    assertThat(producersOf(after, "second-aggregation-0")).containsExactly("a");
    assertThat(producersOf(after, "second-aggregation-1")).containsExactly("late");
  }

  @Test
  void shufflesOfOtherOrderOrPartitionsHaveRelaysOfTheirOwn() {
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("a", 1, 1))
            .add(Plans.operator("join"))
            .add(Plans.groupByKey("e1", "a", "join"))
            .add(Plans.reshuffle("e2", "a", "join"))
            .add(Plans.groupByKey("e3", "a", "join").with(new Partitioner.Hash(4)))
            .add(Plans.groupByKey("e4", "a", "join"))
            .build();
    OptimizationStep step = reshaped(dag);
    assertThat(step.after().incoming("join-aggregation-0"))
        .extracting(IREdge::id)
        .containsExactly("e1", "e4");
    assertThat(step.after().incoming("join-aggregation-1"))
        .extracting(IREdge::id)
        .containsExactly("e2");
    assertThat(step.after().incoming("join-aggregation-2"))
        .extracting(IREdge::id)
        .containsExactly("e3");
    assertThat(step.notes())
        .contains(
            "shuffle e2 (a to join) is aggregated, by itself, since it is ordered or partitioned"
                + " unlike e1");
  }

  @Test
  void aShuffleWhoseWayWasDecidedIsLeftAlone() {
    IRDag dag =
        Plans.join()
            .apply(new SetEdgeProperty("e1", DataFlow.PULL))
            .apply(new SetEdgeProperty("e1", Compression.LZ4));
    OptimizationStep step = reshaped(dag);
    assertThat(step.after().edge("e1").to()).isEqualTo("join");
    assertThat(step.after().edge("e2").to()).isEqualTo("join-aggregation-0");
    assertThat(step.notes())
        .contains(
            "shuffle e1 (orders to join) is not aggregated: it was given DataFlow, Compression");
  }

  @Test
  void aSampledConsumerIsLeftAlone() {
    IRDag dag =
        Plans.joinWithOwnTotals()
            .apply(InsertSampling.of("e3", Set.of("totals"), List.of(0), "sizes", "Sampling"));
    OptimizationStep step = reshaped(dag);
    assertThat(step.after().edge("e1").to()).isEqualTo("totals");
    assertThat(step.after().edge("e3").to()).startsWith("join-aggregation-");
    assertThat(step.notes())
        .contains(
            "shuffle e1 (lines to totals) is not aggregated: its consumer is sampled, and must go"
                + " on reading what the sample reads");
  }

  @Test
  void aRelayThatIsThereIsEnough() {
    IRDag dag = Plans.wordCount().apply(new InsertRelay(List.of("e2"), "relay", "test"));
    OptimizationStep step = reshaped(dag);
    assertThat(step.outcome()).isEqualTo(Outcome.UNCHANGED);
    assertThat(step.notes())
        .containsExactly(
            "shuffle e2 (words to relay) is not aggregated: it touches relay relay already",
            "shuffle e2-relay (relay to count) is not aggregated: it touches relay relay already");
  }

  @Test
  void anIdThatIsTakenIsPassedOver() {
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("count-aggregation-0", 1, 1))
            .add(Plans.operator("count"))
            .add(Plans.groupByKey("e1", "count-aggregation-0", "count"))
            .build();
    assertThat(reshaped(dag).after().vertex("count-aggregation-1")).isInstanceOf(RelayVertex.class);
  }

  @Test
  void returnsTheSameGraphWhenNothingIsMissing() {
    IRDag done = reshaped(Plans.join()).after();
    assertThat(new LargeShuffleReshapingPass().apply(done, Plans.CONTEXT)).isSameAs(done);
  }

  private static OptimizationStep reshaped(IRDag dag) {
    return Plans.lastStep(dag, Plans.CONTEXT, new LargeShuffleReshapingPass());
  }

  private static List<String> producersOf(IRDag dag, String relay) {
    return dag.incoming(relay).stream().map(IREdge::from).toList();
  }
}
