// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassException;
import dev.anemone.passes.Plans;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.largeshuffle.LargeShufflePass;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SkewSamplingAnnotatingPassTest {

  private static OptimizationStep annotated(IRDag dag, Map<String, String> options) {
    return Plans.lastStep(
        dag,
        PassContext.of(4, 512 * Plans.MB, options),
        new CombinerLiftingPass(),
        new ParallelismPass(),
        new SkewSamplingReshapingPass(),
        new SkewSamplingAnnotatingPass());
  }

  @Test
  void planBeforeAndAfter() {
    GoldenPlan.assertMatches(
        "SkewSamplingAnnotatingPass",
        annotated(Plans.wordCount(), Map.of("parallelism", "4", "measureAllUpTo", "1")));
  }

  @ParameterizedTest(name = "{0} tasks, option {1}: {2}")
  @CsvSource({
    "2, 0, 256",
    "3, 0, 171",
    "64, 0, 8",
    "100, 0, 8",
    "256, 0, 8",
    "257, 0, 7",
    "1000, 0, 2",
    "5000, 0, 2",
    "4, 5, 5",
    "100, 1, 1",
    "1000, 8, 8"
  })
  void partitionsPerTask(int tasks, int given, int multiplier) {
    OptimizationStep step =
        annotated(
            Plans.wordCount(), Map.of("parallelism", "" + tasks, "keyRangeMultiplier", "" + given));
    Optional<Partitioner> expected = Optional.of(new Partitioner.Hash(multiplier));
    for (String edge : new String[] {"e2", "e2-divided", "count-recombined"}) {
      assertThat(step.after().edge(edge).property(Partitioner.class)).isEqualTo(expected);
    }
  }

  @Test
  void aRelayKeepsThePartitionsOfItsConsumer() {
    IRDag dag =
        Plans.lastStep(
                Plans.join(),
                PassContext.of(4, 512 * Plans.MB, Map.of("parallelism", "4")),
                new ParallelismPass(),
                new LargeShufflePass(),
                new SkewSamplingReshapingPass(),
                new SkewSamplingAnnotatingPass())
            .after();
    for (String edge : new String[] {"e1", "e2", "e1-join-aggregation-0"}) {
      assertThat(dag.edge(edge).property(Partitioner.class)).contains(new Partitioner.Hash(128));
    }
  }

  @Test
  void tooManyPartitionsAreRefused() {
    assertThatThrownBy(
            () ->
                annotated(
                    Plans.wordCount(),
                    Map.of("parallelism", "4", "keyRangeMultiplier", "2000000000")))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("shuffle e2 into 4 tasks would have 8000000000 partitions")
        .hasMessageContaining("16777216 at most");
  }
}
