// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Random;

/** Writes blocks to fetch, and compares what was fetched. */
final class FetchedBlocks {

  private FetchedBlocks() {}

  /** Bytes that differ from those of every other seed. */
  static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** A set of partitions. */
  static BitSet partitions(int... numbers) {
    BitSet set = new BitSet();
    for (int number : numbers) {
      set.set(number);
    }
    return set;
  }

  /** Writes and commits a block; raw lengths are three times the stored ones. */
  static void write(BlockStore store, BlockId id, WriteOrder order, byte[]... partitions)
      throws IOException {
    try (BlockWriter writer = store.create(id, partitions.length, order)) {
      for (int p = 0; p < partitions.length; p++) {
        writer.append(p, ByteBuffer.wrap(partitions[p]), 3L * partitions[p].length);
      }
      writer.commit();
    }
  }

  /** Compares all of a block of which some partitions were fetched. */
  static void assertFetched(BlockReader reader, BlockId id, BitSet wanted, byte[]... partitions)
      throws IOException {
    assertThat(reader.id()).isEqualTo(id);
    assertThat(reader.index().partitions()).isEqualTo(wanted.length());
    for (int p = 0; p < wanted.length(); p++) {
      byte[] expected = wanted.get(p) ? partitions[p] : new byte[0];
      assertThat(reader.index().rawLength(p)).isEqualTo(3L * expected.length);
      assertThat(reader.index().storedLength(p)).isEqualTo(expected.length);
      ByteBuffer target = ByteBuffer.allocate(expected.length);
      reader.read(p, 0, target);
      assertThat(target.array()).as("partition %d of %s", p, id).isEqualTo(expected);
    }
  }
}
