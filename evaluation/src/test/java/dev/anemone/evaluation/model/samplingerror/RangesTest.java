// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RangesTest {
  private static final double ROUNDING = 1e-3;

  @Test
  void evenRangesAreTheSameNumberOfPartitionsEach() {
    assertThat(Ranges.even(6, 3)).containsExactly(0, 0, 1, 1, 2, 2);
    assertThat(Ranges.even(5, 2)).containsExactly(0, 0, 0, 1, 1);
  }

  @Test
  void theLargestPartitionGoesFirstToTheTaskWithLeast() {
    assertThat(Ranges.drawn(new long[] {1, 7, 4, 3}, 2)).containsExactly(0, 0, 1, 1);
  }

  @Test
  void partitionsThatTheEstimateHasNothingOfAreSpread() {
    int[] taskOf = Ranges.drawn(new long[8], 4);

    for (int task = 0; task < 4; task++) {
      int reader = task;
      assertThat(Arrays.stream(taskOf).filter(found -> found == reader).count()).isEqualTo(2);
    }
  }

  /** Graham's bound for a list of jobs: the mean, and what the last one adds. */
  @Property(tries = 200)
  void theBusiestTaskHasAtMostTheMeanAndOnePartitionMore(
      @ForAll @Size(min = 1, max = 60) List<@LongRange(min = 1, max = 1_000_000) Long> partitions,
      @ForAll @IntRange(min = 1, max = 9) int tasks) {
    long[] bytes = partitions.stream().mapToLong(Long::longValue).toArray();
    double mean = Arrays.stream(bytes).sum() / (double) tasks;
    double largest = Arrays.stream(bytes).max().orElseThrow();

    double busiest = mean * Ranges.maxToMean(Ranges.drawn(bytes, tasks), bytes, tasks);

    assertThat(busiest)
        .isBetween(
            Math.max(mean, largest) - ROUNDING, mean + largest * (1 - 1.0 / tasks) + ROUNDING);
  }

  @Test
  void theErrorIsThePartOfTheBytesInWrongPartitions() {
    assertThat(Ranges.totalVariation(new long[] {1, 1}, new long[] {500, 500})).isZero();
    assertThat(Ranges.totalVariation(new long[] {3, 1}, new long[] {50, 50}))
        .isCloseTo(0.25, within(1e-9));
    assertThat(Ranges.totalVariation(new long[] {9, 0}, new long[] {0, 9})).isEqualTo(1);
  }

  @Test
  void theSampleIsSpreadOverAllTasks() {
    assertThat(Ranges.sample(0.05, 40)).containsExactly(10, 30);
    assertThat(Ranges.sample(0.01, 40)).hasSize(2);
    assertThat(Ranges.sample(0.5, 1)).containsExactly(0);
    assertThat(Ranges.sample(1, 5)).containsExactly(0, 1, 2, 3, 4);
  }
}
