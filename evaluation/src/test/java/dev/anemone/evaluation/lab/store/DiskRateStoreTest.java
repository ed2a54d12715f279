// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.store.SlowedStore.DiskRateStore;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.ReadStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DiskRateStoreTest extends SlowedStoreFixture {

  /** 100 milliseconds for the block. */
  private static final long BYTES_PER_SECOND = 10_000;

  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  @Override
  BlockStore slowed(BlockStore store) {
    return new DiskRateStore(store, 1_000_000_000);
  }

  /** Of each store in the JVM, since they are on one disk. */
  @Test
  void whatAllReadersReadComesOneAfterTheOther() throws Exception {
    write(files, bytes(BLOCK_BYTES));
    int readers = 3;
    ExecutorService executor = Executors.newFixedThreadPool(readers);
    long begin = System.nanoTime();
    try {
      List<Future<Long>> reads = new ArrayList<>();
      for (int i = 0; i < readers; i++) {
        BlockStore slow = new DiskRateStore(files, BYTES_PER_SECOND);
        reads.add(
            executor.submit(
                () -> {
                  try (BlockReader reader = slow.open(BLOCK, new ReadStatistics())) {
                    return nanosOfRead(reader, 0, BLOCK_BYTES);
                  }
                }));
      }
      for (Future<Long> read : reads) {
        assertThat(read.get(30, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(NANOS);
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(readers * NANOS);
  }

  @Test
  void aRateThatIsNoneIsRefused() {
    assertThatThrownBy(() -> new DiskRateStore(files, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a disk cannot read 0 bytes/s");
  }
}
