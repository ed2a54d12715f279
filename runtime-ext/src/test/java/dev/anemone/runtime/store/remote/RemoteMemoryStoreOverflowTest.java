// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.remote;

import static dev.anemone.runtime.store.BlockContents.assertBlock;
import static dev.anemone.runtime.store.BlockContents.bytes;
import static dev.anemone.runtime.store.BlockContents.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockStoreContract;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.store.file.LocalFileStoreTest;
import dev.anemone.runtime.testing.TestMemoryPool;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool of so little memory that nearly every block leaves it. */
class RemoteMemoryStoreOverflowTest extends BlockStoreContract {

  /** One for all tests and tries, which each leave it empty. */
  private static final TestMemoryPool POOL = TestMemoryPool.ofServers(1, 2);

  private static final PoolClient CLIENT = POOL.client();

  @Override
  protected BlockStore newStore(Path directory) throws IOException {
    return new RemoteMemoryStore(
        CLIENT, PoolPath.of("/blocks"), Lifetime.LEASE, new LocalFileStore(directory));
  }

  @Override
  protected void assertNothingLeft(Path directory) throws IOException {
    assertThat(POOL.usedBytes()).isZero();
    LocalFileStoreTest.assertEmpty(directory);
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void theBlockThatIsWrittenMovesWithAllThatItHas(WriteOrder order) throws IOException {
    write(store, OTHER, order, bytes(1, 1000));
    byte[][] partitions = {bytes(2, 100_000), new byte[0], bytes(3, 400_000), bytes(4, 10)};
    BlockIndex index = write(store, ID, order, partitions);
    assertThat(root.resolve(ID.path()).resolve("file.out")).exists();
    assertThat(root.resolve(OTHER.path())).doesNotExist();
    assertBlock(store, ID, partitions);
    assertBlock(store, OTHER, bytes(1, 1000));
    assertThat(((RemoteMemoryStore) store).isOverflowed(ID)).isTrue();
    assertThat(((RemoteMemoryStore) store).isOverflowed(OTHER)).isFalse();
    assertThat(index.rawLength(2)).isEqualTo(800_000);
    assertThat(POOL.usedBytes()).isEqualTo(TestMemoryPool.PAGE_BYTES);
  }

  /** The index, or its last bytes, may be what does not fit. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 10, 28, 40, 52, 60, 100})
  void blocksThatNearlyFitMoveToo(int left) throws IOException {
    byte[] nearly = bytes(5, 2 * TestMemoryPool.PAGE_BYTES - left);
    write(store, ID, WriteOrder.BY_PARTITION, nearly);
    assertBlock(store, ID, nearly);
    assertThat(((RemoteMemoryStore) store).isOverflowed(ID)).isEqualTo(left < 48);
  }
}
