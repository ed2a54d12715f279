// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.anemone.ir.partition.HashRange;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RangeDrawingTest {

  @Provide
  Arbitrary<double[]> sizes() {
    return Arbitraries.frequencyOf(
            Tuple.of(6, Arbitraries.integers().between(0, 20)),
            Tuple.of(1, Arbitraries.integers().between(0, 1000)))
        .map(Integer::doubleValue)
        .array(Double[].class)
        .ofMinSize(1)
        .ofMaxSize(200)
        .map(boxed -> Arrays.stream(boxed).mapToDouble(Double::doubleValue).toArray());
  }

  @Property(tries = 300)
  void everyPartitionIsReadOnceAndLoadsAreTheirSums(
      @ForAll("sizes") double[] bytes, @ForAll @IntRange(min = 1, max = 30) int tasks) {
    TaskRanges ranges = RangeDrawing.draw(Workload.whole(bytes), tasks).byFallingBytes();
    List<List<HashRange>> perTask = ranges.perTask(partition -> true);
    int[] readers = new int[bytes.length];
    assertThat(perTask).hasSize(tasks);
    for (int task = 0; task < tasks; task++) {
      double load = 0;
      for (HashRange range : perTask.get(task)) {
        for (int partition = range.from(); partition < range.to(); partition++) {
          readers[partition]++;
          load += bytes[partition];
        }
      }
      assertThat(load).isCloseTo(ranges.loads()[task], within(1e-6));
    }
    assertThat(readers).containsOnly(1);
    assertThat(perTask.stream().mapToInt(List::size).sum()).isEqualTo(ranges.ranges());
    double[] falling = ranges.loads().clone();
    Arrays.sort(falling);
    for (int task = 0; task < tasks; task++) {
      assertThat(ranges.loads()[task]).isEqualTo(falling[tasks - 1 - task]);
    }
  }

  /** Graham's bound, times what is given up for fewer ranges. */
  @Property(tries = 200)
  void theLargestTaskIsAtMostAThirdAboveTheBestPossible(
      @ForAll("sizes") double[] bytes, @ForAll @IntRange(min = 1, max = 4) int tasks) {
    double[] few = Arrays.copyOf(bytes, Math.min(9, bytes.length));
    TaskRanges ranges = RangeDrawing.draw(Workload.whole(few), tasks);
    assertThat(ranges.largest())
        .isLessThanOrEqualTo(best(few, 0, new double[tasks]) * RangeDrawing.TOLERANCE * 4 / 3);
  }

  private static double best(double[] bytes, int next, double[] loads) {
    if (next == bytes.length) {
      return Arrays.stream(loads).max().orElse(0);
    }
    double best = Double.POSITIVE_INFINITY;
    for (int task = 0; task < loads.length; task++) {
      loads[task] += bytes[next];
      best = Math.min(best, best(bytes, next + 1, loads));
      loads[task] -= bytes[next];
      if (loads[task] == 0) {
        break; // all empty tasks are alike
      }
    }
    return best;
  }

  @Property(tries = 200)
  void theLargestTaskHasNoMoreThanWithEvenRuns(
      @ForAll("sizes") double[] bytes, @ForAll @IntRange(min = 1, max = 30) int tasks) {
    double even = 0;
    for (int task = 0; task < tasks; task++) {
      int from = (int) ((long) bytes.length * task / tasks);
      int to = (int) ((long) bytes.length * (task + 1) / tasks);
      even = Math.max(even, Arrays.stream(bytes, from, to).sum());
    }
    assertThat(RangeDrawing.draw(Workload.whole(bytes), tasks).largest())
        .isLessThanOrEqualTo(even * RangeDrawing.TOLERANCE + 1e-6);
  }

  @Property(tries = 100)
  void equalSizesGetEqualRanges(
      @ForAll("sizes") double[] bytes, @ForAll @IntRange(min = 1, max = 30) int tasks) {
    TaskRanges one = RangeDrawing.draw(Workload.whole(bytes), tasks);
    TaskRanges other = RangeDrawing.draw(Workload.whole(bytes.clone()), tasks);
    assertThat(one.taskOf()).isEqualTo(other.taskOf());
  }

  @Property(tries = 200)
  void sharesOfAPartitionGoToDifferentTasks(
      @ForAll("sizes") double[] bytes,
      @ForAll @IntRange(min = 2, max = 30) int tasks,
      @ForAll Random random) {
    int[] shares =
        IntStream.range(0, bytes.length)
            .map(p -> random.nextInt(4) == 0 ? 2 + random.nextInt(tasks - 1) : random.nextInt(2))
            .toArray();
    TaskRanges ranges = RangeDrawing.draw(new Workload(bytes, shares), tasks);
    double total = 0;
    for (int partition = 0; partition < bytes.length; partition++) {
      total += shares[partition] * bytes[partition];
      if (shares[partition] > 1) {
        assertThat(ranges.sharers().get(partition))
            .hasSize(shares[partition])
            .doesNotHaveDuplicates()
            .isSorted();
      } else {
        assertThat(ranges.taskOf()[partition] == TaskRanges.NONE).isEqualTo(shares[partition] == 0);
      }
    }
    assertThat(Arrays.stream(ranges.loads()).sum()).isCloseTo(total, within(1e-6 * (1 + total)));
  }

  @Test
  void evenSizesAreCutIntoOneRangeForEachTask() {
    double[] bytes = new double[512];
    Arrays.fill(bytes, 10);
    TaskRanges ranges = RangeDrawing.draw(Workload.whole(bytes), 8);
    assertThat(ranges.ranges()).isEqualTo(8);
    assertThat(ranges.loads()).containsOnly(640);
  }

  @Test
  void aFewLargePartitionsCostAFewRanges() {
    double[] bytes = new double[512];
    Arrays.fill(bytes, 10);
    bytes[3] = 700;
    bytes[4] = 690;
    bytes[300] = 650;
    TaskRanges ranges = RangeDrawing.draw(Workload.whole(bytes), 8);
    assertThat(ranges.largest() / LoadSpread.of(ranges.loads()).mean()).isLessThan(1.03);
    assertThat(ranges.ranges()).isLessThanOrEqualTo(16);
  }

  @Test
  void withAPartitionThatIsTooLargeTheOtherTasksAreEvenAllTheSame() {
    double[] bytes = new double[512];
    Arrays.fill(bytes, 10);
    bytes[200] = 50_000;
    TaskRanges ranges = RangeDrawing.draw(Workload.whole(bytes), 8).byFallingBytes();
    assertThat(ranges.loads()[0]).isEqualTo(50_000);
    assertThat(ranges.loads()[1]).isEqualTo(730);
    assertThat(ranges.loads()[7]).isEqualTo(730);
  }

  @Test
  void emptyPartitionsGoWithTheirNeighbours() {
    TaskRanges ranges = RangeDrawing.draw(Workload.whole(new double[] {0, 5, 0, 5, 0}), 2);
    assertThat(ranges.loads()).containsExactly(5, 5);
    assertThat(ranges.ranges()).isEqualTo(2);
  }

  @Test
  @Timeout(20)
  void aMillionPartitionsTakeAboutASecond() {
    Random random = new Random(7);
    double[] bytes =
        IntStream.range(0, 1_000_000)
            .mapToDouble(p -> Math.pow(random.nextDouble(), -0.7))
            .toArray();
    RangeDrawing.draw(Workload.whole(bytes), 1000);
    long start = System.nanoTime();
    TaskRanges ranges = RangeDrawing.draw(Workload.whole(bytes), 1000);
    Duration taken = Duration.ofNanos(System.nanoTime() - start);
    double largest = Arrays.stream(bytes).max().orElseThrow();
    assertThat(ranges.largest())
        .isLessThanOrEqualTo(Math.max(1.03 * LoadSpread.of(ranges.loads()).mean(), largest));
    assertThat(taken).isLessThan(Duration.ofSeconds(5));
  }
}
