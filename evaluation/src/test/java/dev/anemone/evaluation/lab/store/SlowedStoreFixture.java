// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every slowed store does: the same as the store behind it, but for the time of reads. */
abstract class SlowedStoreFixture {

  static final BlockId BLOCK = new BlockId("dag_1/attempt_1");
  static final int BLOCK_BYTES = 1000;

  @TempDir private Path root;

  BlockStore files;

  @BeforeEach
  void openFiles() {
    files = new LocalFileStore(root);
  }

  /** A store that slows reads of another one, but hardly. */
  abstract BlockStore slowed(BlockStore store);

  static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  static void write(BlockStore store, byte[]... partitions) throws IOException {
    try (BlockWriter writer = store.create(BLOCK, partitions.length, WriteOrder.BY_PARTITION)) {
      for (int i = 0; i < partitions.length; i++) {
        writer.append(i, ByteBuffer.wrap(partitions[i]), partitions[i].length);
      }
      writer.commit();
    }
  }

  static long nanosOfRead(BlockReader reader, int position, int bytes) throws IOException {
    long begin = System.nanoTime();
    reader.read(0, position, ByteBuffer.allocate(bytes));
    return System.nanoTime() - begin;
  }

  @Test
  void blocksAreThoseOfTheStoreBehindIt() throws IOException {
    BlockStore slowed = slowed(files);
    write(slowed, bytes(100), bytes(BLOCK_BYTES));
    assertThat(slowed.usedBytes()).isEqualTo(files.usedBytes()).isEqualTo(100 + BLOCK_BYTES);
    ReadStatistics statistics = new ReadStatistics();
    try (BlockReader reader = slowed.open(BLOCK, statistics);
        BlockReader behind = files.open(BLOCK, new ReadStatistics())) {
      assertThat(reader.id()).isEqualTo(BLOCK);
      assertThat(reader.index().partitions()).isEqualTo(behind.index().partitions());
      assertThat(reader.index().storedLength(1)).isEqualTo(BLOCK_BYTES);
      ByteBuffer target = ByteBuffer.allocate(BLOCK_BYTES - 10);
      reader.read(1, 10, target);
      assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(bytes(BLOCK_BYTES)).position(10));
    }
    assertThat(statistics.bytes()).isEqualTo(BLOCK_BYTES - 10);
    assertThat(statistics.seeks()).isEqualTo(1);
    slowed.delete(BLOCK);
    for (BlockStore store : new BlockStore[] {slowed, files}) {
      assertThatThrownBy(() -> store.open(BLOCK, new ReadStatistics()))
          .isInstanceOf(NoSuchFileException.class);
    }
    assertThat(slowed.usedBytes()).isZero();
  }
}
