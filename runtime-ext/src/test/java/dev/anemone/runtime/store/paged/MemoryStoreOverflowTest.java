// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.paged;

import static dev.anemone.runtime.store.BlockContents.assertBlock;
import static dev.anemone.runtime.store.BlockContents.bytes;
import static dev.anemone.runtime.store.BlockContents.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.store.BlockContents;
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
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A memory store with so little memory that nearly every block leaves it. */
class MemoryStoreOverflowTest extends BlockStoreContract {

  private static final BlockId BLOCK = new BlockId("dag_1/attempt_1");
  private static final BlockId EARLIER = new BlockId("dag_1/attempt_0");

  private final PagePool pool = new PagePool(PagePool.PAGE_BYTES);

  @Override
  protected BlockStore newStore(Path directory) {
    return new MemoryStore(pool, PagePool.PAGE_BYTES, new LocalFileStore(directory));
  }

  @Override
  protected void assertNothingLeft(Path directory) throws IOException {
    assertThat(pool.takenBytes()).isZero();
    LocalFileStoreTest.assertEmpty(directory);
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void theBlockThatIsWrittenMovesWithAllThatItHas(WriteOrder order) throws IOException {
    write(store, EARLIER, order, bytes(1, 1000));
    byte[][] partitions = {bytes(2, 100_000), new byte[0], bytes(3, 400_000), bytes(4, 10)};
    write(store, BLOCK, order, partitions);
    assertThat(root.resolve(BLOCK.path()).resolve("file.out")).exists();
    assertThat(root.resolve(EARLIER.path())).doesNotExist();
    assertBlock(store, BLOCK, partitions);
    assertBlock(store, EARLIER, bytes(1, 1000));
    assertThat(store.usedBytes()).isEqualTo(501_010);
    store.delete(EARLIER);
    assertThat(pool.takenBytes()).isZero();
  }

  @Test
  void theMemoryOfABlockThatMovedIsFreeAtOnce() throws IOException {
    try (BlockWriter writer = store.create(BLOCK, 1, WriteOrder.ANY)) {
      writer.append(0, ByteBuffer.wrap(bytes(1, 300_000)), 0);
      assertThat(pool.takenBytes()).isZero();
      write(store, EARLIER, WriteOrder.ANY, bytes(2, 1000));
      assertThat(root.resolve(EARLIER.path())).doesNotExist();
    }
    store.delete(EARLIER);
  }

  @Test
  void readsOfTheOverflowAreCounted() throws IOException {
    write(store, BLOCK, WriteOrder.ANY, bytes(1, 300_000));
    ReadStatistics statistics = new ReadStatistics();
    try (BlockReader reader = store.open(BLOCK, statistics)) {
      BlockContents.read(reader, 0);
    }
    assertThat(statistics.bytes()).isEqualTo(300_000);
  }

  @Test
  void aFailureOfTheOverflowGivesMemoryBack() throws IOException {
    Path inTheWay = Files.createFile(root.resolve("dag_1"));
    try (BlockWriter writer = store.create(BLOCK, 1, WriteOrder.ANY)) {
      writer.append(0, ByteBuffer.wrap(bytes(1, 1000)), 0);
      assertThatThrownBy(() -> writer.append(0, ByteBuffer.wrap(bytes(1, 300_000)), 0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(root.resolve(BLOCK.path()).toString());
      assertThat(pool.takenBytes()).isZero();
      assertThatThrownBy(writer::commit).isInstanceOf(IllegalStateException.class);
    }
    Files.delete(inTheWay);
  }
}
