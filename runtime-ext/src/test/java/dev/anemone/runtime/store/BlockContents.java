// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

/** What tests write to blocks, and how they read it. */
public final class BlockContents {

  private BlockContents() {}

  /** Bytes that differ from those of every other seed. */
  public static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** A direct buffer with these bytes. */
  public static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  /** Writes and commits a block; raw lengths are twice the stored ones. */
  public static BlockIndex write(
      BlockStore store, BlockId id, WriteOrder order, byte[]... partitions) throws IOException {
    try (BlockWriter writer = store.create(id, partitions.length, order)) {
      for (int p = 0; p < partitions.length; p++) {
        if (partitions[p].length > 0) {
          writer.append(p, ByteBuffer.wrap(partitions[p]), 2L * partitions[p].length);
        }
      }
      return writer.commit();
    }
  }

  /** All of a partition. */
  public static byte[] read(BlockReader reader, int partition) throws IOException {
    ByteBuffer target =
        ByteBuffer.allocate(Math.toIntExact(reader.index().storedLength(partition)));
    reader.read(partition, 0, target);
    assertThat(target.hasRemaining()).isFalse();
    return target.array();
  }

  /** Opens a block, and compares all of it, index included. */
  public static void assertBlock(BlockStore store, BlockId id, byte[]... partitions)
      throws IOException {
    try (BlockReader reader = store.open(id, new ReadStatistics())) {
      assertThat(reader.id()).isEqualTo(id);
      assertThat(reader.index().partitions()).isEqualTo(partitions.length);
      long sum = 0;
      for (int p = 0; p < partitions.length; p++) {
        assertThat(reader.index().storedLength(p)).isEqualTo(partitions[p].length);
        assertThat(reader.index().rawLength(p)).isEqualTo(2L * partitions[p].length);
        assertThat(read(reader, p)).as("partition %d of %s", p, id).isEqualTo(partitions[p]);
        sum += partitions[p].length;
      }
      assertThat(reader.index().storedBytes()).isEqualTo(sum);
    }
  }
}
