// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.store.BlockIndex;
import java.util.Iterator;
import java.util.List;

/** Goes over those partitions in some ranges that a block has something of. Used by one thread. */
public final class FilledPartitions {

  private final BlockIndex index;
  private final Iterator<HashRange> ranges;
  private int partition;
  private int following;
  private int rangeEnd;

  /** Stands before the first partition of the first range. */
  public FilledPartitions(BlockIndex index, List<HashRange> ranges) {
    this.index = index;
    this.ranges = ranges.iterator();
  }

  /** Moves to the next partition, and says whether there is one. */
  public boolean next() {
    do {
      if (following == rangeEnd) {
        if (!ranges.hasNext()) {
          return false;
        }
        HashRange range = ranges.next();
        following = range.from();
        rangeEnd = range.to();
      }
      partition = following++;
    } while (index.storedLength(partition) == 0);
    return true;
  }

  /** The current partition. */
  public int partition() {
    return partition;
  }
}
