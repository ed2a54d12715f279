// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.shuffle.format.RunFilter;
import dev.anemone.runtime.store.BlockReader;
import java.util.List;
import java.util.Objects;

/**
 * Partitions of a block.
 *
 * @param block belongs to whoever has the segment
 * @param ranges the partitions, ascending
 * @param filter tells the producers whose records are left out
 */
public record Segment(BlockReader block, List<HashRange> ranges, RunFilter filter) {

  public Segment {
    ranges = List.copyOf(ranges);
    Objects.requireNonNull(filter, "filter");
    for (HashRange range : ranges) {
      Objects.checkFromToIndex(range.from(), range.to(), block.index().partitions());
    }
  }
}
