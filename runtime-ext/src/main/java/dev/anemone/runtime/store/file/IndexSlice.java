// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockTable;
import java.util.List;

/**
 * What a block's index says of some ranges of its partitions, which lie one behind the other.
 *
 * @param partitions of the whole block
 * @param ranges in ascending order
 * @param storedBytes of the whole block
 */
record IndexSlice(int partitions, List<Range> ranges, long storedBytes) implements BlockIndex {

  /**
   * The index of a range.
   *
   * @param first partition
   * @param table of the partitions from the first one on
   */
  record Range(int first, BlockTable table) {
    private boolean has(int partition) {
      return partition >= first && partition - first < table.partitions();
    }
  }

  @Override
  public long offset(int partition) {
    Range range = rangeOf(partition);
    return range.table().offset(partition - range.first());
  }

  @Override
  public long rawLength(int partition) {
    Range range = rangeOf(partition);
    return range.table().rawLength(partition - range.first());
  }

  @Override
  public long storedLength(int partition) {
    Range range = rangeOf(partition);
    return range.table().storedLength(partition - range.first());
  }

  private Range rangeOf(int partition) {
    int low = 0;
    int high = ranges.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (ranges.get(middle).first() <= partition) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    if (!ranges.get(low).has(partition)) {
      throw new IndexOutOfBoundsException(
          "of partition " + partition + " nothing was read, only of others of " + partitions);
    }
    return ranges.get(low);
  }
}
