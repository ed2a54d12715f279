// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.paged;

import static dev.anemone.runtime.store.BlockContents.assertBlock;
import static dev.anemone.runtime.store.BlockContents.bytes;
import static dev.anemone.runtime.store.BlockContents.read;
import static dev.anemone.runtime.store.BlockContents.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockStoreContract;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.store.file.LocalFileStoreTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MemoryStoreTest extends BlockStoreContract {

  private static final BlockId BLOCK = new BlockId("dag_1/attempt_1");
  private static final long CAPACITY_BYTES = 64L << 20;

  private final PagePool pool = new PagePool(CAPACITY_BYTES);

  @Override
  protected BlockStore newStore(Path directory) {
    return new MemoryStore(pool, CAPACITY_BYTES, new LocalFileStore(directory));
  }

  @Override
  protected void assertNothingLeft(Path directory) throws IOException {
    assertThat(pool.takenBytes()).isZero();
    LocalFileStoreTest.assertEmpty(directory);
  }

  @Test
  void nothingGoesToTheOverflowWhileThereIsMemory() throws IOException {
    write(store, BLOCK, WriteOrder.ANY, bytes(1, 5_000_000), bytes(2, 5_000_000));
    LocalFileStoreTest.assertEmpty(root);
    assertThat(pool.takenBytes()).isBetween(10_000_000L, 10_000_000L + PagePool.PAGE_BYTES);
  }

  @Test
  void smallBlocksSharePages() throws IOException {
    int blocks = 100;
    for (int i = 0; i < blocks; i++) {
      write(store, id(i), WriteOrder.ANY, bytes(i, 900), bytes(-i, 100), new byte[0]);
    }
    assertThat(pool.takenBytes()).isEqualTo(PagePool.PAGE_BYTES);
    for (int i = 0; i < blocks; i += 2) {
      store.delete(id(i));
    }
    for (int i = 1; i < blocks; i += 2) {
      assertBlock(store, id(i), bytes(i, 900), bytes(-i, 100), new byte[0]);
      store.delete(id(i));
    }
    assertThat(pool.takenBytes()).isZero();
  }

  @Test
  void whatAWriterWroteInVainIsFreeForTheNextBlock() throws IOException {
    write(store, id(0), WriteOrder.ANY, bytes(1, 1000));
    for (int i = 0; i < 10; i++) {
      try (BlockWriter writer = store.create(BLOCK, 1, WriteOrder.ANY)) {
        writer.append(0, ByteBuffer.wrap(bytes(2, 700_000)), 0);
      }
    }
    write(store, id(1), WriteOrder.ANY, bytes(3, 1000));
    assertThat(pool.takenBytes()).isEqualTo(PagePool.PAGE_BYTES);
    assertBlock(store, id(0), bytes(1, 1000));
    store.delete(id(0));
    assertBlock(store, id(1), bytes(3, 1000));
    store.delete(id(1));
  }

  @Test
  void pagesOfADeletedBlockAreFreeWhenItsLastReaderIsClosed() throws IOException {
    write(store, BLOCK, WriteOrder.BY_PARTITION, bytes(1, 1000));
    BlockReader first = store.open(BLOCK, new ReadStatistics());
    try (BlockReader second = store.open(BLOCK, new ReadStatistics())) {
      store.delete(BLOCK);
      first.close();
      first.close();
      assertThat(pool.takenBytes()).isEqualTo(PagePool.PAGE_BYTES);
      assertThat(read(second, 0)).isEqualTo(bytes(1, 1000));
    }
    assertThat(pool.takenBytes()).isZero();
  }

  @Test
  void readsOfMemoryAreNotReadsOfADisk() throws IOException {
    write(store, BLOCK, WriteOrder.BY_PARTITION, bytes(1, 1000));
    ReadStatistics statistics = new ReadStatistics();
    try (BlockReader reader = store.open(BLOCK, statistics)) {
      read(reader, 0);
    }
    assertThat(statistics.reads()).isZero();
  }

  @Test
  void abandonedWritersGiveTheirPagesBackWhenTheirBlockIsBegunAgain() throws IOException {
    BlockWriter abandoned = store.create(BLOCK, 1, WriteOrder.ANY);
    abandoned.append(0, ByteBuffer.wrap(bytes(1, 1_000_000)), 0);
    BlockWriter again = store.create(BLOCK, 1, WriteOrder.ANY);
    assertThat(pool.takenBytes()).isZero();
    again.close();
  }

  @Test
  void deletesAllBlocksBelowAPrefix() throws IOException {
    MemoryStore memory = new MemoryStore(pool, PagePool.PAGE_BYTES, new LocalFileStore(root));
    write(memory, new BlockId("dag_1/memory"), WriteOrder.ANY, bytes(1, 100));
    write(memory, new BlockId("dag_1/overflow"), WriteOrder.ANY, bytes(1, 300_000));
    write(memory, new BlockId("dag_2/memory"), WriteOrder.ANY, bytes(2, 10));
    try (BlockWriter writer = memory.create(new BlockId("dag_1/x"), 1, WriteOrder.ANY)) {
      writer.append(0, ByteBuffer.wrap(bytes(1, 400_000)), 0);
      memory.deleteAll("dag_1/");
      LocalFileStoreTest.assertEmpty(root);
    }
    assertThat(memory.usedBytes()).isEqualTo(10);
    memory.deleteAll("");
    assertThat(memory.usedBytes()).isZero();
  }

  private static BlockId id(int i) {
    return new BlockId("dag_1/small_" + i);
  }
}
