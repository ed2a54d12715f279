// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.message.SizeHistogram;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.PartitionSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionLoadsTest {

  private static final ShuffleSizes.Shuffle SHUFFLE =
      new ShuffleSizes.Shuffle(
          List.of("e"), SizeHistogram.of("sizes", new long[] {10, 30, 5, 0}), 2, 4);

  private static HashRange range(int from, int to) {
    return new HashRange(from, to);
  }

  @Test
  void addsUpWhatEachTaskReadsAsEstimatedOfAllProducers() {
    PartitionSet set =
        new PartitionSet(
            List.of(List.of(range(0, 1), range(2, 4)), List.of(), List.of(range(1, 2))));
    assertThat(PartitionLoads.of(set, SHUFFLE)).containsExactly(30, 0, 60);
  }

  @Test
  void aDividedPartitionCountsInSharesAndAReplicatedOneInFull() {
    List<List<HashRange>> perTask =
        List.of(List.of(range(1, 2), range(2, 4)), List.of(range(0, 1)), List.of(range(1, 2)));
    PartitionSet divided =
        new PartitionSet(perTask, List.of(new PartitionDivision(1, List.of(0, 2), false)));
    PartitionSet replicated =
        new PartitionSet(perTask, List.of(new PartitionDivision(1, List.of(0, 2), true)));
    assertThat(PartitionLoads.of(divided, SHUFFLE)).containsExactly(40, 20, 30);
    assertThat(PartitionLoads.of(replicated, SHUFFLE)).containsExactly(70, 20, 60);
  }
}
