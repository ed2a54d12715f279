// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntToLongFunction;

/**
 * A block of which some partitions are made of several that are stored: the bytes of these, one
 * after the other. Used by one thread.
 */
public final class JoinedPartitions implements BlockReader {

  private final BlockReader block;
  private final int partitions;
  private final Map<Integer, int[]> joined;
  private final BlockIndex index = new JoinedIndex();

  /**
   * A view of a block.
   *
   * @param block is closed with the view
   * @param partitions how many the view has
   * @param joined by partition of the view, the stored ones that it is made of; of all others, the
   *     stored one of the same number
   */
  public JoinedPartitions(BlockReader block, int partitions, Map<Integer, int[]> joined) {
    this.block = block;
    this.partitions = partitions;
    this.joined = Collections.unmodifiableMap(new HashMap<>(joined));
  }

  @Override
  public BlockId id() {
    return block.id();
  }

  @Override
  public BlockIndex index() {
    return index;
  }

  @Override
  public void read(int partition, long position, ByteBuffer target) throws IOException {
    int[] parts = joined.get(partition);
    if (parts == null) {
      Objects.checkIndex(partition, partitions);
      block.read(partition, position, target);
      return;
    }
    int left = index.readable(id(), partition, position, target.remaining());
    int limit = target.limit();
    long start = 0;
    try {
      for (int part : parts) {
        long length = block.index().storedLength(part);
        long from = position - start;
        if (left > 0 && from < length) {
          int count = (int) Math.min(left, length - from);
          block.read(part, from, target.limit(target.position() + count));
          position += count;
          left -= count;
        }
        start += length;
      }
    } finally {
      target.limit(limit);
    }
  }

  @Override
  public void close() throws IOException {
    block.close();
  }

  private final class JoinedIndex implements BlockIndex {

    @Override
    public int partitions() {
      return partitions;
    }

    /** Where the first part of it is, if it has several. */
    @Override
    public long offset(int partition) {
      int[] parts = joined.get(partition);
      if (parts == null) {
        return block.index().offset(partition);
      }
      return parts.length == 0 ? 0 : block.index().offset(parts[0]);
    }

    @Override
    public long rawLength(int partition) {
      return sum(partition, block.index()::rawLength);
    }

    @Override
    public long storedLength(int partition) {
      return sum(partition, block.index()::storedLength);
    }

    private long sum(int partition, IntToLongFunction length) {
      int[] parts = joined.get(partition);
      return parts == null
          ? length.applyAsLong(partition)
          : Arrays.stream(parts).mapToLong(length).sum();
    }

    @Override
    public long storedBytes() {
      return block.index().storedBytes();
    }
  }
}
