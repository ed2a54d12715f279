// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Max;
import org.apache.beam.sdk.transforms.Sum;
import org.junit.jupiter.api.Test;

class WholeNumberSumTest {

  @Test
  void countsAsBeamDoes() {
    assertThat(WholeNumberSum.of(Count.combineFn())).contains(WholeNumberSum.COUNT);
    addsAsTheFunction(Count.combineFn(), List.of("a", "b", "c"));
  }

  @Test
  void sumsAsBeamDoes() {
    assertThat(WholeNumberSum.of(Sum.ofLongs())).contains(WholeNumberSum.LONGS);
    addsAsTheFunction(Sum.ofLongs(), List.of(3L, -5L, 0L));
    addsAsTheFunction(Sum.ofLongs(), List.of(Long.MAX_VALUE, 1L));
    assertThat(WholeNumberSum.LONGS.adds(null)).isFalse();
  }

  /** Beam's accumulator of all values is that of their sum. */
  private static <V, A> void addsAsTheFunction(CombineFn<V, A, Long> function, List<V> values) {
    WholeNumberSum sum = WholeNumberSum.of(function).orElseThrow();
    A accumulator = function.createAccumulator();
    long added = 0;
    for (V value : values) {
      assertThat(sum.adds(value)).isTrue();
      accumulator = function.addInput(accumulator, value);
      added += sum.summand(value);
    }
    assertThat(sum.accumulator(added)).isEqualTo(accumulator);
  }

  @Test
  void othersAreNone() {
    assertThat(WholeNumberSum.of(Max.ofLongs())).isEmpty();
    assertThat(WholeNumberSum.of(Sum.ofIntegers())).isEmpty();
    assertThat(WholeNumberSum.of(Sum.ofDoubles())).isEmpty();
  }
}
