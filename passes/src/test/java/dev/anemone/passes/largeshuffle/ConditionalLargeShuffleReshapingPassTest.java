// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.largeshuffle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import dev.anemone.passes.defaults.ParallelismPass;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionalLargeShuffleReshapingPassTest {

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "ConditionalLargeShuffleReshapingPass",
        reshaped(Plans.join(), Map.of("largeShuffleBytes", "500MB")));
  }

  @Test
  void eachShuffleIsJudgedByItself() {
    OptimizationStep step = reshaped(Plans.join(), Map.of("largeShuffleBytes", "500MB"));
    assertThat(step.after().edge("e1").to()).isEqualTo("join");
    assertThat(step.after().edge("e2").to()).isEqualTo("join-aggregation-0");
    assertThat(step.notes())
        .containsExactly(
            "shuffle e1 (orders to join) is not aggregated: 160 MiB are below 500 MiB"
                + " (largeShuffleBytes), and 2 x 4 tasks make 8 blocks, below 10000"
                + " (largeShuffleBlocks)",
            "shuffle e2 (lines to join) is aggregated: 640 MiB reach 500 MiB"
                + " (largeShuffleBytes)");
  }

  @ParameterizedTest
  @CsvSource({"671088640, true", "671088641, false", "640MB, true", "641MB, false"})
  void aShuffleOfJustEnoughBytesIsLarge(String leastBytes, boolean large) {
    OptimizationStep step = reshaped(Plans.join(), Map.of("largeShuffleBytes", leastBytes));
    assertThat(step.after().edge("e2").to().equals("join-aggregation-0")).isEqualTo(large);
  }

  @ParameterizedTest
  @CsvSource({"24, true", "25, false"})
  void aShuffleOfJustEnoughBlocksIsLarge(String leastBlocks, boolean large) {
    OptimizationStep step = reshaped(Plans.join(), Map.of("largeShuffleBlocks", leastBlocks));
    assertThat(step.after().hasVertex("join-aggregation-0")).isEqualTo(large);
    assertThat(step.after().edge("e1").to()).isEqualTo("join");
    if (large) {
      assertThat(step.notes().get(1))
          .isEqualTo(
              "shuffle e2 (lines to join) is aggregated: 6 x 4 tasks make 24 blocks, which"
                  + " reach 24 (largeShuffleBlocks)");
    }
  }

  @Test
  void nothingIsLargeByDefaultInASmallJob() {
    OptimizationStep step = reshaped(Plans.join(), Map.of());
    assertThat(step.outcome()).isEqualTo(OptimizationStep.Outcome.UNCHANGED);
    assertThat(step.notes().get(1)).contains("640 MiB are below 1 GiB (largeShuffleBytes)");
  }

  @Test
  void aSizeThatIsNotKnownIsNamed() {
    IRDag unknown =
        IRDag.builder()
            .add(Plans.source("lines", 0, 4))
            .add(Plans.operator("count"))
            .add(Plans.groupByKey("e1", "lines", "count"))
            .build();
    assertThat(reshaped(unknown, Map.of()).notes().get(0))
        .contains("is not aggregated: its size is not known, and 2 x ");
  }

  private static OptimizationStep reshaped(IRDag dag, Map<String, String> options) {
    return Plans.lastStep(
        dag,
        PassContext.of(2, 512 * Plans.MB, options),
        new ParallelismPass(),
        new ConditionalLargeShuffleReshapingPass());
  }
}
