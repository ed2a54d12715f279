// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassException;
import dev.anemone.passes.Plans;
import dev.anemone.passes.TracePrinter;
import dev.anemone.passes.skew.SkewRunTimePass;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SkewPoliciesTest {

  private static final PassContext CONTEXT =
      PassContext.of(
          4,
          512 * Plans.MB,
          Map.of("parallelism", "4", "keyRangeMultiplier", "4", "measureAllUpTo", "1"));

  private static OptimizationTrace optimized(Policy policy) {
    return Optimizer.standard().optimize(policy, Plans.wordCount(), CONTEXT);
  }

  @Test
  void dataSkewTraceOfAWordCount() {
    OptimizationTrace trace = optimized(new DataSkewPolicy());
    GoldenPlan.assertText("DataSkewPolicy.txt", TracePrinter.TEXT.print(trace));
    assertThat(trace.runTimePasses()).hasExactlyElementsOfTypes(SkewRunTimePass.class);
  }

  @Test
  void samplingLargeShuffleSkewTraceOfAWordCount() {
    OptimizationTrace trace = optimized(new SamplingLargeShuffleSkewPolicy());
    GoldenPlan.assertText("SamplingLargeShuffleSkewPolicy.txt", TracePrinter.TEXT.print(trace));
    assertThat(trace.steps())
        .extracting(OptimizationStep::path)
        .containsSubsequence(
            "SamplingLargeShuffleSkew/CombinerLifting",
            "SamplingLargeShuffleSkew/Parallelism",
            "SamplingLargeShuffleSkew/LargeShuffle/LargeShuffleReshaping",
            "SamplingLargeShuffleSkew/SkewSampling/SkewSamplingReshaping",
            "SamplingLargeShuffleSkew/SkewSampling/SkewSamplingAnnotating");
  }

  @Test
  void recombinersReadNothingAtFirstAndTheConsumerAllTheSame() {
    IRDag dag = optimized(new DataSkewPolicy()).result();
    PartitionSet even = PartitionSet.even(4, 4);
    assertThat(dag.edge("e2").property(PartitionSet.class)).contains(even);
    assertThat(dag.edge("count-recombined").property(PartitionSet.class)).contains(even);
    assertThat(dag.edge("e2-divided").property(PartitionSet.class)).contains(PartitionSet.none(4));
  }

  @Test
  void theSampleRunsBeforeWhatWaitsForIt() {
    IRDag dag = optimized(new DataSkewPolicy()).result();
    assertThat(group(dag, "lines-sampled")).isLessThan(group(dag, "count-sizes-aggregation"));
    assertThat(group(dag, "count-sizes-aggregation")).isLessThan(group(dag, "lines"));
  }

  private static int group(IRDag dag, String vertexId) {
    return dag.vertex(vertexId).property(ScheduleGroup.class).orElseThrow().group();
  }

  @Test
  void aListOfPassesMayHaveARunTimePass() {
    PolicyRegistry registry = PolicyRegistry.of(getClass().getClassLoader());
    OptimizationTrace trace = optimized(registry.adHoc("SkewSampling,SkewRunTime"));
    assertThat(trace.runTimePasses()).hasExactlyElementsOfTypes(SkewRunTimePass.class);
    assertThat(trace.result().hasVertex("count-sizes-aggregation")).isTrue();
    Policy alone = registry.adHoc("SkewRunTime");
    assertThatThrownBy(() -> Optimizer.standard().optimize(alone, Plans.wordCount(), Plans.CONTEXT))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("requires pass")
        .hasMessageContaining("SkewSamplingPass");
  }
}
