// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.largeshuffle.LargeShufflePass;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SkewSamplingReshapingPassTest {

  private static final PassContext CONTEXT =
      PassContext.of(4, 512 * Plans.MB, Map.of("measureAllUpTo", "1"));

  private static OptimizationStep sampled(IRDag dag, CompileTimePass... before) {
    return sampled(dag, CONTEXT, before);
  }

  private static OptimizationStep sampled(
      IRDag dag, PassContext context, CompileTimePass... before) {
    List<CompileTimePass> passes = new ArrayList<>(List.of(before));
    passes.add(new ParallelismPass());
    passes.add(new SkewSamplingReshapingPass());
    return Plans.lastStep(dag, context, passes.toArray(CompileTimePass[]::new));
  }

  private static IRDag with(IRDag dag, IREdge edge) {
    return dag.toBuilder().replace(edge).build();
  }

  private static List<Integer> sampleOf(IRDag dag, String clone) {
    return ((SampledVertex) dag.vertex(clone)).sample();
  }

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches("SkewSamplingReshapingPass", sampled(Plans.wordCount()));
  }

  @Test
  void planBeforeAndAfterOfCombinedShuffles() {
    GoldenPlan.assertMatches(
        "SkewSamplingReshapingPass-recombined",
        sampled(Plans.wordCount(), new CombinerLiftingPass()));
  }

  @Test
  void clonesTheStageThatWritesAndHoldsIt() {
    OptimizationStep step = sampled(Plans.wordCount());
    assertThat(sampleOf(step.after(), "words-sampled")).containsExactly(1, 3);
    assertThat(step.after().controlDependencies())
        .containsExactly(new ControlDependency("count-sizes-aggregation", "lines"));
    assertThat(step.notes())
        .containsExactly(
            "shuffle e2 (words to count) is sampled: producer tasks [1, 3] of 4 run first, the"
                + " others wait for the ranges; a hot key cannot be divided: all values of a key"
                + " must come together");
  }

  @Test
  void allShufflesIntoOneStageAreMeasuredTogether() {
    IRDag join = Plans.join();
    OptimizationStep step = sampled(with(join, join.edge("e2").with(Divisibility.DIVISIBLE)));
    assertThat(step.after().incoming("join-sizes-aggregation")).hasSize(2);
    assertThat(step.notes()).hasSize(2);
    assertThat(step.notes().get(1))
        .contains("of 8 run first, the others wait")
        .endsWith("can be divided: each task joins a share of one side with all of the other");
  }

  @Test
  void aStageThatItsOwnProducersWaitForIsLeftAlone() {
    OptimizationStep step = sampled(Plans.joinWithLaterTotals());
    assertThat(step.after().waitCycle()).isEmpty();
    assertThat(step.notes())
        .anySatisfy(
            note ->
                assertThat(note)
                    .startsWith("shuffle e1 ")
                    .contains("is not sampled: its stage also reads e4"))
        .anySatisfy(
            note ->
                assertThat(note)
                    .startsWith("shuffle e4 ")
                    .contains("its producer may run in tasks that wait for those of its consumer"))
        .anySatisfy(note -> assertThat(note).startsWith("shuffle e2 ").contains("is sampled"));
  }

  @Test
  void onlyTheDeepestProducersWait() {
    OptimizationStep step = sampled(Plans.joinWithOwnTotals());
    assertThat(step.after().controlDependencies())
        .containsExactlyInAnyOrder(
            new ControlDependency("totals-sizes-aggregation", "lines"),
            new ControlDependency("join-sizes-aggregation", "totals"));
    assertThat(step.notes().get(1))
        .contains("shuffle e2 (lines to join)")
        .contains("the others do not wait, since another shuffle into the stage comes later");
  }

  @Test
  void aStageIsClonedWithoutWhatWaitsForIt() {
    OptimizationStep step = sampled(Plans.withSideInputOfSameData());
    assertThat(step.after().hasVertex("filter-sampled")).isTrue();
    assertThat(step.after().hasVertex("stopWords-sampled")).isFalse();
    assertThat(step.after().waitCycle()).isEmpty();
  }

  @Test
  void sideBranchesAreNotCloned() {
    IRDag dag =
        Plans.wordCount().toBuilder()
            .add(Plans.operator("log"))
            .add(Plans.oneToOne("e9", "words", "log"))
            .build();
    OptimizationStep step = sampled(dag);
    assertThat(step.after().hasVertex("words-sampled")).isTrue();
    assertThat(step.after().hasVertex("log-sampled")).isFalse();
  }

  @Test
  void whereAllTasksAreMeasuredNothingWaits() {
    OptimizationStep step = sampled(Plans.wordCount(), CONTEXT.withOption("samplingRate", "1"));
    assertThat(step.after().controlDependencies()).isEmpty();
    assertThat(step.notes().get(0)).contains("all 4 producer tasks are measured, nothing waits");
  }

  @Test
  void ofAStageWithFewTasksAllAreMeasured() {
    PassContext four = CONTEXT.withOption("measureAllUpTo", "4");
    assertThat(sampled(Plans.wordCount(), four).notes().get(0))
        .contains("all 4 producer tasks are measured, nothing waits");
    PassContext three = CONTEXT.withOption("measureAllUpTo", "3");
    assertThat(sampled(Plans.wordCount(), three).notes().get(0))
        .contains("producer tasks [1, 3] of 4 run first");
  }

  @Test
  void ofAnAggregatedShuffleWhatTheRelayGetsIsMeasured() {
    OptimizationStep step =
        sampled(Plans.wordCount(), new CombinerLiftingPass(), new LargeShufflePass());
    assertThat(step.after().hasVertex("count-sizes-collection-e2")).isTrue();
    assertThat(step.after().hasEdge("e2-count-aggregation-0-divided")).isTrue();
    assertThat(step.notes().get(0)).contains("a recombiner combines its accumulators in shares");
  }

  @Test
  void declinedShufflesAreNamedWithTheReason() {
    IRDag program = Plans.wordCount();
    assertThat(note(program, CONTEXT.withOption("parallelism", "1")))
        .endsWith("is not sampled: its consumer has one task");
    assertThat(note(with(program, program.edge("e2").with(new Partitioner.Hash(2))), CONTEXT))
        .endsWith("is not sampled: it was given a Partitioner");
    assertThat(note(with(program, program.edge("e2").with(DataFlow.PUSH)), CONTEXT))
        .endsWith("is not sampled: its consumer runs beside its producers, which push");
    IRDag spread =
        IRDag.builder()
            .add(Plans.source("lines", 20 * Plans.MB, 8))
            .add(Plans.operator("write"))
            .add(Plans.reshuffle("e1", "lines", "write"))
            .build();
    assertThat(note(spread, CONTEXT))
        .endsWith("is not sampled: it only spreads the load, by no key");
    IRDag join = Plans.join();
    OptimizationStep half = sampled(with(join, join.edge("e2").with(new Partitioner.Hash(2))));
    assertThat(half.outcome()).isEqualTo(OptimizationStep.Outcome.UNCHANGED);
    assertThat(half.notes().get(0))
        .endsWith(
            "is not sampled: its stage also reads e2, which cannot be: it was given a Partitioner");
  }

  private static String note(IRDag dag, PassContext context) {
    OptimizationStep step = sampled(dag, context);
    assertThat(step.outcome()).isEqualTo(OptimizationStep.Outcome.UNCHANGED);
    return step.notes().get(0);
  }

  @Test
  void aSecondTimeThereIsNothingLeftToDo() {
    IRDag once = sampled(Plans.wordCount(), new CombinerLiftingPass()).after();
    OptimizationStep again = sampled(once);
    assertThat(again.after()).isSameAs(once);
    assertThat(again.notes().get(0)).contains("it is measured for count-sizes already");
  }

  @Property(tries = 200)
  void samplesAreEvenlySpaced(
      @ForAll @IntRange(min = 1, max = 5000) int tasks,
      @ForAll @DoubleRange(min = 0.01, max = 1) double rate) {
    List<Integer> sample = new SampleTasks(rate, 1).of(tasks);
    int expected = Math.min(tasks, Math.max(2, (int) Math.ceil(rate * tasks)));
    assertThat(sample).hasSize(expected).isSorted().doesNotHaveDuplicates();
    assertThat(sample.get(0)).isNotNegative();
    assertThat(sample.get(expected - 1)).isLessThan(tasks);
    for (int k = 1; k < expected; k++) {
      int distance = sample.get(k) - sample.get(k - 1);
      assertThat(distance).isBetween(tasks / expected, tasks / expected + 1);
    }
  }
}
