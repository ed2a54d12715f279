// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.remote;

import static dev.anemone.runtime.store.BlockContents.assertBlock;
import static dev.anemone.runtime.store.BlockContents.bytes;
import static dev.anemone.runtime.store.BlockContents.read;
import static dev.anemone.runtime.store.BlockContents.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockStoreContract;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.store.file.LocalFileStoreTest;
import dev.anemone.runtime.testing.TestMemoryPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RemoteMemoryStoreTest extends BlockStoreContract {

  private static final PoolPath DIRECTORY = PoolPath.of("/blocks");

  /** One for all tests and tries, which each leave it empty. */
  private static final TestMemoryPool POOL = TestMemoryPool.ofServers(2, 200);

  private static final PoolClient CLIENT = POOL.client();

  @Override
  protected BlockStore newStore(Path directory) throws IOException {
    return new RemoteMemoryStore(CLIENT, DIRECTORY, Lifetime.LEASE, new LocalFileStore(directory));
  }

  @Override
  protected void assertNothingLeft(Path directory) throws IOException {
    assertThat(POOL.usedBytes()).isZero();
    LocalFileStoreTest.assertEmpty(directory);
  }

  @Test
  void nothingGoesToTheOverflowWhileThereIsRoom() throws IOException {
    write(store, ID, WriteOrder.ANY, bytes(1, 3_000_000), bytes(2, 2_000_000));
    LocalFileStoreTest.assertEmpty(root);
    assertThat(POOL.usedBytes()).isBetween(5_000_000L, 5_000_000L + 2 * TestMemoryPool.PAGE_BYTES);
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void otherProcessesReadByTheIdAlone(WriteOrder order) throws IOException {
    byte[][] partitions = {bytes(1, 70_000), new byte[0], bytes(2, 1), bytes(3, 300_000)};
    BlockIndex index = write(store, ID, order, partitions);
    try (PoolClient other = POOL.client()) {
      BlockStore elsewhere =
          new RemoteMemoryStore(
              other, DIRECTORY, Lifetime.LEASE, new LocalFileStore(root.resolve("other")));
      assertBlock(elsewhere, ID, partitions);
      ReadStatistics reads = new ReadStatistics();
      try (BlockReader reader = elsewhere.open(ID, reads)) {
        assertThat(reader.index().rawLength(3)).isEqualTo(index.rawLength(3));
        long opening = reads.poolBytes();
        assertThat(opening).as("the index").isPositive();
        assertThat(read(reader, 0)).isEqualTo(partitions[0]);
        assertThat(reads.poolBytes() - opening).isEqualTo(partitions[0].length);
      }
      assertThatThrownBy(() -> elsewhere.open(OTHER, new ReadStatistics()))
          .isInstanceOf(NoSuchFileException.class);
    }
    // What another process has read stays.
    assertBlock(store, ID, partitions);
  }

  @Test
  void theDirectoryAndTheNameMayHaveGoneToOthers() throws IOException {
    CLIENT.removeDirectory(DIRECTORY, true);
    byte[][] partitions = {bytes(1, 100)};
    write(store, ID, WriteOrder.ANY, partitions);
    BlockStore later =
        new RemoteMemoryStore(
            CLIENT, DIRECTORY, Lifetime.LEASE, new LocalFileStore(root.resolve("later")));
    byte[][] others = {bytes(2, 200)};

    write(later, ID, WriteOrder.ANY, others);

    assertBlock(later, ID, others);
    later.delete(ID);
    store.delete(ID);
  }

  @Test
  void whatALostServerHeldIsAnErrorAndTheRestStays() throws IOException {
    try (TestMemoryPool two = TestMemoryPool.ofServers(2, 200);
        PoolClient ofTwo = two.client()) {
      BlockStore blocks =
          new RemoteMemoryStore(
              ofTwo, DIRECTORY, Lifetime.LEASE, new LocalFileStore(root.resolve("two")));
      write(blocks, ID, WriteOrder.BY_PARTITION, bytes(1, 10 * TestMemoryPool.PAGE_BYTES));
      try (BlockReader reader = blocks.open(ID, new ReadStatistics())) {
        two.stop(1);
        assertThatThrownBy(() -> read(reader, 0)).isInstanceOf(IOException.class);
      }
      // New blocks go to the server that is left.
      write(blocks, OTHER, WriteOrder.BY_PARTITION, bytes(2, 100_000));
      assertBlock(blocks, OTHER, bytes(2, 100_000));
    }
  }

  @Test
  void aWriterThatIsGivenUpLeavesNothing() throws IOException {
    try (BlockWriter writer = store.create(ID, 1, WriteOrder.ANY)) {
      writer.append(0, ByteBuffer.wrap(bytes(1, 300_000)), 0);
      assertThat(POOL.usedBytes()).isPositive();
    }
    assertThat(POOL.usedBytes()).isZero();
  }
}
