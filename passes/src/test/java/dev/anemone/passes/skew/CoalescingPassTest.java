// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.Parallelism.Coalescing;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.policy.AdHocPolicy;
import dev.anemone.passes.policy.DataSkewPolicy;
import dev.anemone.passes.policy.LargeShufflePolicy;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CoalescingPassTest {

  private static OptimizationStep step(IRDag program, PassContext context) {
    return Plans.lastStep(program, context, new ParallelismPass(), new CoalescingPass());
  }

  private static List<String> marked(IRDag dag) {
    return dag.vertices().stream()
        .filter(vertex -> vertex.property(Coalescing.class).isPresent())
        .map(vertex -> vertex.id())
        .toList();
  }

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches("CoalescingPass", step(Plans.wordCount(), Plans.CONTEXT));
  }

  @Test
  void bothShufflesOfAJoinAreForOneMessage() {
    IRDag dag = step(Plans.join(), Plans.CONTEXT).after();
    assertThat(marked(dag)).containsExactly("join", "write");
    assertThat(dag.vertex("join").property(Coalescing.class))
        .isEqualTo(dag.vertex("write").property(Coalescing.class));
  }

  @Test
  void aNumberOfTasksThatWasAskedForStays() {
    assertThat(
            marked(step(Plans.wordCount(), Plans.CONTEXT.withOption("parallelism", "4")).after()))
        .isEmpty();
  }

  @Test
  void oneTaskCannotBecomeFewer() {
    assertThat(marked(step(Plans.wordCount(10, 8), Plans.CONTEXT).after())).isEmpty();
  }

  @Test
  void whoReadsASpreadingShuffleTooKeepsItsTasks() {
    IRDag both =
        Plans.join().toBuilder()
            .removeEdge("e2")
            .add(Plans.reshuffle("e2", "lines", "write"))
            .build();
    assertThat(marked(step(both, Plans.CONTEXT).after())).isEmpty();
  }

  @Test
  void workThatIsDividedKeepsItsTasks() {
    IRDag program = Plans.wordCount();
    IRDag divides =
        program.toBuilder()
            .replace(Plans.operator("write").withTraits(Set.of(OperatorTrait.DIVIDES_WORK)))
            .build();
    assertThat(marked(step(divides, Plans.CONTEXT).after())).isEmpty();
  }

  @Test
  void rangesThatWereGivenStay() {
    IRDag program = Plans.wordCount();
    IRDag given =
        program.toBuilder()
            .replace(
                program
                    .vertex("count")
                    .withProperties(program.vertex("count").properties().with(new Parallelism(2))))
            .replace(program.edge("e2").with(PartitionSet.even(2, 1)))
            .build();
    assertThat(marked(step(given, Plans.CONTEXT).after())).isEmpty();
  }

  @Test
  void behindAnAggregationTooButNotWhereSkewIsMeasured() {
    assertThat(marked(optimized(new LargeShufflePolicy()))).containsExactly("count", "write");
    assertThat(marked(optimized(new DataSkewPolicy()))).isEmpty();
    Policy both = AdHocPolicy.of(List.of(new SkewSamplingPass(), new CoalescingPass()));
    assertThat(marked(optimized(both))).isEmpty();
  }

  private static IRDag optimized(Policy policy) {
    PassContext context = PassContext.of(2, 512 * Plans.MB, Map.of());
    return Optimizer.standard().optimize(policy, Plans.wordCount(), context).result();
  }
}
