// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.message.SizeHistogram;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DivisionSearchTest {

  private static ShuffleSizes.Shuffle side(String edge, int tasks, long... sizes) {
    return new ShuffleSizes.Shuffle(List.of(edge), SizeHistogram.of("sizes", sizes), tasks, tasks);
  }

  private static double[] sum(ShuffleSizes.Shuffle... sides) {
    double[] bytes = new double[sides[0].sampled().partitions()];
    for (ShuffleSizes.Shuffle side : sides) {
      for (int partition = 0; partition < bytes.length; partition++) {
        bytes[partition] += side.estimatedBytes(partition);
      }
    }
    return bytes;
  }

  @Provide
  Arbitrary<long[]> sizes() {
    return Arbitraries.longs().between(0, 1000).array(long[].class).ofSize(24);
  }

  @Property(tries = 200)
  void sharesAddUpAndNobodyHasMoreThanBefore(
      @ForAll("sizes") long[] left,
      @ForAll("sizes") long[] right,
      @ForAll @IntRange(min = 1, max = 12) int tasks,
      @ForAll @IntRange(min = 1, max = 9) int producers) {
    ShuffleSizes.Shuffle big = side("left", producers, left);
    ShuffleSizes.Shuffle small = side("right", 3, right);
    double[] bytes = sum(big, small);
    JoinDivision method = new JoinDivision(bytes, List.of(big), tasks);
    Map<Integer, Integer> divided = DivisionSearch.of(bytes, tasks, method);
    Workload work = DivisionSearch.ofConsumer(bytes, divided, method);
    double before = RangeDrawing.draw(Workload.whole(bytes), tasks).largest();
    assertThat(RangeDrawing.draw(work, tasks).largest()).isLessThanOrEqualTo(before * 1.05 + 1e-6);
    divided.forEach(
        (partition, shares) -> {
          assertThat(shares).isBetween(2, Math.min(tasks, producers));
          double replicated = (shares - 1) * (bytes[partition] - left[partition]);
          assertThat(work.shares(partition) * work.shareBytes(partition))
              .isCloseTo(bytes[partition] + replicated, within(1e-6));
        });
  }

  @Test
  void aHotPartitionIsDividedIntoAsManySharesAsMakeTasksEven() {
    long[] sizes = LongStream.range(0, 64).map(p -> p == 7 ? 6400 : 100).toArray();
    ShuffleSizes.Shuffle side = side("e", 40, sizes);
    JoinDivision method = new JoinDivision(sum(side), List.of(side), 8);
    // 12,700 bytes make 1,587 for each of 8 tasks; a quarter of the hot partition is 1,600.
    assertThat(DivisionSearch.of(sum(side), 8, method).get(7)).isBetween(4, 6);
  }

  @Test
  void twoHotPartitionsAreDividedEvenThoughOneAloneGainsNothing() {
    long[] sizes = LongStream.range(0, 64).map(p -> p % 32 == 7 ? 6400 : 100).toArray();
    ShuffleSizes.Shuffle side = side("e", 40, sizes);
    JoinDivision method = new JoinDivision(sum(side), List.of(side), 8);
    assertThat(DivisionSearch.of(sum(side), 8, method)).containsOnlyKeys(7, 39);
  }

  @Test
  void noMoreSharesThanProducers() {
    ShuffleSizes.Shuffle side = side("e", 3, 6400, 100, 100, 100);
    JoinDivision method = new JoinDivision(sum(side), List.of(side), 8);
    assertThat(DivisionSearch.of(sum(side), 8, method)).containsEntry(0, 3);
    ShuffleSizes.Shuffle alone = side("e", 1, 6400, 100, 100, 100);
    JoinDivision none = new JoinDivision(sum(alone), List.of(alone), 8);
    assertThat(DivisionSearch.of(sum(alone), 8, none)).isEmpty();
  }

  @Test
  void aSideThatWouldHaveToBeReplicatedAtGreatCostIsNot() {
    ShuffleSizes.Shuffle side = side("e1", 10, 1000, 10, 10, 10);
    ShuffleSizes.Shuffle other = side("e2", 10, 5000, 10, 10, 10);
    double[] bytes = sum(side, other);
    assertThat(DivisionSearch.of(bytes, 4, new JoinDivision(bytes, List.of(side), 4)))
        .satisfiesAnyOf(
            divided -> assertThat(divided).isEmpty(),
            divided ->
                assertThat(
                        DivisionSearch.ofConsumer(
                                bytes, divided, new JoinDivision(bytes, List.of(side), 4))
                            .shareBytes(0))
                    .isLessThan(0.99 * 6000));
  }

  @Test
  void evenSizesAreNotDivided() {
    long[] sizes = new long[64];
    Arrays.fill(sizes, 100);
    ShuffleSizes.Shuffle side = side("e", 40, sizes);
    assertThat(DivisionSearch.of(sum(side), 8, new JoinDivision(sum(side), List.of(side), 8)))
        .isEmpty();
  }

  @Test
  void accumulatorsAreRecombinedInAboutTheRootOfTheProducersShares() {
    double[] bytes = new double[64];
    Arrays.fill(bytes, 100);
    bytes[3] = 20_000;
    RecombinerDivision method = new RecombinerDivision(bytes, 36, 8);
    assertThat(DivisionSearch.of(bytes, 8, method)).containsOnly(Map.entry(3, 6));
    Workload consumer = DivisionSearch.ofConsumer(bytes, Map.of(3, 6), method);
    assertThat(consumer.shares(3)).isEqualTo(1);
    assertThat(consumer.shareBytes(3)).isCloseTo(20_000 * 6 / 36.0, within(1e-6));
    Workload ahead = DivisionSearch.ofAhead(64, Map.of(3, 6), method);
    assertThat(ahead.shares(3)).isEqualTo(6);
    assertThat(ahead.shareBytes(3) * 6).isCloseTo(20_000, within(1e-6));
  }
}
