// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.store.SlowedStore.LinkChargingStore;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.paged.MemoryStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LinkChargingStoreTest extends SlowedStoreFixture {

  /** 100 milliseconds for the block. */
  private static final long BYTES_PER_SECOND = 10_000;

  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  @Override
  BlockStore slowed(BlockStore store) {
    return new LinkChargingStore(store, 1_000_000_000);
  }

  private BlockStore slowStore() throws IOException {
    BlockStore slow = new LinkChargingStore(files, BYTES_PER_SECOND);
    write(slow, bytes(BLOCK_BYTES));
    return slow;
  }

  @Test
  void aReadTakesAsLongAsItsBytesDo() throws IOException {
    BlockStore slow = slowStore();
    assertThat(leastNanosOfRead(slow, BLOCK_BYTES)).isBetween(NANOS, 2 * NANOS);
    assertThat(leastNanosOfRead(slow, BLOCK_BYTES / 10)).isBetween(NANOS / 10, NANOS / 2);
    assertThat(leastNanosOfRead(files, BLOCK_BYTES)).isLessThan(NANOS / 10);
  }

  /** The least of several, since a busy machine can make any of them late. */
  private static long leastNanosOfRead(BlockStore store, int bytes) throws IOException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      least = Math.min(least, nanosOfRead(store, bytes));
    }
    return least;
  }

  private static long nanosOfRead(BlockStore store, int bytes) throws IOException {
    try (BlockReader reader = store.open(BLOCK, new ReadStatistics())) {
      return nanosOfRead(reader, 0, bytes);
    }
  }

  @Test
  void readersDoNotWaitForEachOther() throws Exception {
    int readers = 8;
    BlockStore slow = slowStore();
    CountDownLatch ready = new CountDownLatch(readers);
    ExecutorService executor = Executors.newFixedThreadPool(readers);
    long begin = System.nanoTime();
    try {
      List<Future<Long>> reads = new ArrayList<>();
      for (int i = 0; i < readers; i++) {
        reads.add(
            executor.submit(
                () -> {
                  ready.countDown();
                  assertThat(ready.await(10, TimeUnit.SECONDS)).isTrue();
                  return nanosOfRead(slow, BLOCK_BYTES);
                }));
      }
      for (Future<Long> read : reads) {
        assertThat(read.get(30, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(NANOS);
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(System.nanoTime() - begin).isLessThan(readers * NANOS);
  }

  @Test
  void anInterruptedThreadDoesNotWaitOn() throws IOException {
    // In memory, since an interrupted thread cannot read a file in the first place.
    PagePool pool = new PagePool(4L << 20);
    BlockStore stopped = new LinkChargingStore(new MemoryStore(pool, 2L << 20, files), 1);
    write(stopped, bytes(BLOCK_BYTES));
    try (BlockReader reader = stopped.open(BLOCK, new ReadStatistics())) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> reader.read(0, 0, ByteBuffer.allocate(BLOCK_BYTES)))
          .isInstanceOf(InterruptedIOException.class)
          .hasMessageContaining("waited for its link");
      assertThat(Thread.interrupted()).isTrue();
    }
    stopped.delete(BLOCK);
  }

  @Test
  void aRateThatIsNoneIsRefused() {
    assertThatThrownBy(() -> new LinkChargingStore(files, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a link cannot have 0 bytes/s");
  }
}
