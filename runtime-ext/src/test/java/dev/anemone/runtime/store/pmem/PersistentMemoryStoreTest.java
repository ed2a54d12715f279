// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import static dev.anemone.runtime.store.BlockContents.assertBlock;
import static dev.anemone.runtime.store.BlockContents.bytes;
import static dev.anemone.runtime.store.BlockContents.read;
import static dev.anemone.runtime.store.BlockContents.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pmem.PersistentMemory;
import dev.anemone.rdma.pmem.PersistentMemoryFile;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.store.file.LocalFileStoreTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PersistentMemoryStoreTest extends PersistentMemoryStoreContract {

  private static final BlockId BLOCK = new BlockId("dag_1/attempt_1");
  private static final long FILE_BYTES = 1 << 20;
  private static final int PAGE_BYTES = 4096;

  @TempDir Path device;

  @Override
  long fileBytes() {
    return 8 << 20;
  }

  @Override
  int pageBytes() {
    return 16 << 10;
  }

  private PersistentMemoryStore reopened() throws IOException {
    return PersistentMemoryStore.open(
        device.resolve("blocks"), FILE_BYTES, PAGE_BYTES, new LocalFileStore(root));
  }

  @Test
  void nothingGoesToTheOverflowWhileThereIsRoom() throws IOException {
    write(store, BLOCK, WriteOrder.ANY, bytes(1, 2_000_000), bytes(2, 2_000_000));
    LocalFileStoreTest.assertEmpty(root);
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void blocksAreThereWhenTheFileIsOpenedAgain(WriteOrder order) throws IOException {
    byte[][] few = {bytes(1, 100), new byte[0], bytes(2, 70_000)};
    byte[][] many = IntStream.range(0, 900).mapToObj(p -> bytes(p, p % 7)).toArray(byte[][]::new);
    BlockId empty = new BlockId("empty");
    long free;
    try (PersistentMemoryStore first = reopened()) {
      write(first, BLOCK, order, few);
      write(first, OTHER, order, many);
      write(first, empty, order, new byte[0]);
      write(first, new BlockId("deleted"), order, few);
      first.delete(new BlockId("deleted"));
      free = first.freeBytes();
      first.create(new BlockId("abandoned"), 1, order).append(0, ByteBuffer.allocate(9000), 0);
    }
    try (PersistentMemoryStore second = reopened()) {
      assertBlock(second, BLOCK, few);
      assertBlock(second, OTHER, many);
      assertBlock(second, empty, new byte[0]);
      for (String gone : new String[] {"deleted", "abandoned"}) {
        assertThatThrownBy(() -> second.open(new BlockId(gone), new ReadStatistics()))
            .hasMessageContaining(gone);
      }
      assertThat(second.freeBytes()).isEqualTo(free);
      second.deleteAll("");
      assertThat(second.freeBytes()).isEqualTo(second.capacityBytes());
    }
    try (PersistentMemoryStore third = reopened()) {
      assertThat(third.usedBytes()).isZero();
      assertThat(third.freeBytes()).isEqualTo(third.capacityBytes());
    }
  }

  @Test
  void pagesOfADeletedBlockAreFreeWhenItsLastReaderIsClosed() throws IOException {
    try (PersistentMemoryStore blocks = reopened()) {
      write(blocks, BLOCK, WriteOrder.BY_PARTITION, bytes(1, 1000));
      try (BlockReader reader = blocks.open(BLOCK, new ReadStatistics())) {
        blocks.delete(BLOCK);
        assertThat(blocks.freeBytes()).isEqualTo(blocks.capacityBytes() - PAGE_BYTES);
        write(blocks, OTHER, WriteOrder.BY_PARTITION, bytes(2, 100_000));
        assertThat(read(reader, 0)).isEqualTo(bytes(1, 1000));
      }
      blocks.delete(OTHER);
      assertThat(blocks.freeBytes()).isEqualTo(blocks.capacityBytes());
    }
  }

  @Test
  void aClosedStoreDoesNothing() throws IOException {
    PersistentMemoryStore closed = reopened();
    write(closed, BLOCK, WriteOrder.BY_PARTITION, bytes(1, 1000));
    BlockReader reader = closed.open(BLOCK, new ReadStatistics());
    BlockWriter writer = closed.create(OTHER, 1, WriteOrder.ANY);
    writer.append(0, ByteBuffer.allocate(10), 10);
    closed.close();
    closed.close();
    assertThatThrownBy(() -> writer.append(0, ByteBuffer.allocate(10), 10))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> read(reader, 0)).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> closed.create(OTHER, 1, WriteOrder.ANY))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> closed.open(BLOCK, new ReadStatistics()))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> closed.delete(BLOCK)).isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void anotherGeometryIsRefused() throws IOException {
    reopened().close();
    Path file = device.resolve("blocks");
    assertThatThrownBy(
            () -> PersistentMemoryStore.open(file, FILE_BYTES, 8192, new LocalFileStore(root)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has 251 pages of 4096 bytes, not ")
        .hasMessageContaining("of 8192");
    assertThatThrownBy(
            () -> PersistentMemoryStore.open(file, FILE_BYTES, 5000, new LocalFileStore(root)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("power of two");
    reopened().close();
  }

  @Test
  void whatHoldsSomethingElseIsRefusedAndKept() throws IOException {
    Path file = device.resolve("blocks");
    byte[] foreign = bytes(1, (int) FILE_BYTES);
    Files.write(file, foreign);
    assertThatThrownBy(this::reopened)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("something else than blocks");
    foreign[0] = foreign[1] = foreign[2] = foreign[3] = 0;
    foreign[4] = foreign[5] = foreign[6] = foreign[7] = 0;
    Files.write(file, foreign);
    assertThatThrownBy(this::reopened)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it is not zero at byte 4096");
    assertThat(Files.readAllBytes(file)).isEqualTo(foreign);
  }

  @Test
  void anotherVersionIsRefused() throws IOException {
    reopened().close();
    try (PersistentMemory memory =
        PersistentMemoryFile.open(device.resolve("blocks"), FILE_BYTES)) {
      memory.commit(0, memory.word(0) + 1);
    }
    assertThatThrownBy(this::reopened)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("its layout is 2, this one reads 1");
  }

  /** Of a device that lies: what was committed is damaged, in the bytes or in the header. */
  @Test
  void damagedBlocksAreDroppedAndTheirPagesFree() throws IOException {
    byte[] first = bytes(1, 1000);
    try (PersistentMemoryStore blocks = reopened()) {
      write(blocks, BLOCK, WriteOrder.BY_PARTITION, first);
      write(blocks, OTHER, WriteOrder.BY_PARTITION, bytes(2, 1000));
      write(blocks, new BlockId("whole"), WriteOrder.BY_PARTITION, bytes(3, 1000));
    }
    Path file = device.resolve("blocks");
    byte[] image = Files.readAllBytes(file);
    int firstPage = (int) FILE_BYTES - 251 * PAGE_BYTES;
    image[firstPage + 500] ^= 1;
    image[firstPage + PAGE_BYTES + 1024 + 4] ^= 1;
    Files.write(file, image);
    try (PersistentMemoryStore blocks = reopened()) {
      assertBlock(blocks, new BlockId("whole"), bytes(3, 1000));
      assertThat(blocks.usedBytes()).isEqualTo(1000);
      assertThat(blocks.freeBytes()).isEqualTo(blocks.capacityBytes() - PAGE_BYTES);
    }
  }

  @Test
  void aBlockThatAnEarlierProcessLeftInTheOverflowIsWithdrawn() throws IOException {
    try (PersistentMemoryStore blocks = reopened()) {
      write(blocks, BLOCK, WriteOrder.ANY, bytes(1, 2_000_000));
      assertThat(root.resolve(BLOCK.path())).exists();
      assertThat(blocks.freeBytes()).isEqualTo(blocks.capacityBytes());
    }
    try (PersistentMemoryStore blocks = reopened()) {
      assertBlock(blocks, BLOCK, bytes(1, 2_000_000));
      try (BlockWriter writer = blocks.create(BLOCK, 1, WriteOrder.ANY)) {
        assertThatThrownBy(() -> blocks.open(BLOCK, new ReadStatistics()))
            .hasMessageContaining(BLOCK.path());
        writer.commit();
      }
      assertBlock(blocks, BLOCK, new byte[0]);
      blocks.delete(BLOCK);
    }
  }
}
