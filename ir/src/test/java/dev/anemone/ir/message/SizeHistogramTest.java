// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SizeHistogramTest {

  @Test
  void mergingAddsUpPartitionByPartition() {
    SizeHistogram merged =
        SizeHistogram.of("m", new long[] {1, 0, 5})
            .merge(SizeHistogram.of("m", new long[] {2, 3, 0}));

    assertThat(merged).isEqualTo(SizeHistogram.of("m", new long[] {3, 3, 5}));
    assertThat(merged).hasSameHashCodeAs(SizeHistogram.of("m", new long[] {3, 3, 5}));
    assertThat(merged.totalBytes()).isEqualTo(11);
    assertThat(merged.partitions()).isEqualTo(3);
    assertThat(merged.bytes(2)).isEqualTo(5);
  }

  @Test
  void doesNotShareItsArray() {
    long[] sizes = {1, 2};
    SizeHistogram histogram = SizeHistogram.of("m", sizes);
    sizes[0] = 100;
    histogram.toArray()[1] = 100;

    assertThat(histogram.toArray()).containsExactly(1, 2);
  }

  @Test
  void refusesToMergeWhatDoesNotBelongTogether() {
    SizeHistogram histogram = SizeHistogram.of("m", new long[] {1});

    assertThatThrownBy(() -> histogram.merge(SizeHistogram.of("n", new long[] {1})))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot merge SizeHistogram[m, 1 partitions]");
    assertThatThrownBy(() -> histogram.merge(SizeHistogram.of("m", new long[] {1, 2})))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> histogram.merge(SizeHistogram.of("m", new long[] {Long.MAX_VALUE})))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void refusesNegativeSizesAndTimes() {
    assertThatThrownBy(() -> SizeHistogram.of("m", new long[] {0, -1}))
        .hasMessageContaining("-1 bytes in partition 1");
    assertThatThrownBy(() -> new TaskTimes("m", "v", List.of(1L, -1L)))
        .hasMessageContaining("vertex v must not be negative");
  }
}
