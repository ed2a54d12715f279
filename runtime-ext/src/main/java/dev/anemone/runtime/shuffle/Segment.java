package dev.anemone.runtime.shuffle;

import dev.anemone.runtime.store.BlockReader;
import java.util.Objects;

/**
 * Consecutive partitions of a block.
 *
 * @param block belongs to whoever has the segment
 * @param fromPartition the first partition
 * @param toPartition behind the last partition
 */
public record Segment(BlockReader block, int fromPartition, int toPartition) {

  public Segment {
    Objects.checkFromToIndex(fromPartition, toPartition, block.index().partitions());
  }
}
