// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.store.SlowedStore.SeekChargingStore;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.ReadStatistics;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SeekChargingStoreTest extends SlowedStoreFixture {

  private static final Duration SEEK = Duration.ofMillis(20);

  @Override
  BlockStore slowed(BlockStore store) {
    return new SeekChargingStore(store, Duration.ofNanos(1000));
  }

  private SeekChargingStore slowStore() throws IOException {
    SeekChargingStore slow = new SeekChargingStore(files, SEEK);
    write(slow, bytes(1000));
    return slow;
  }

  @Test
  void everySeekTakesItsTimeAndNothingElseDoes() throws IOException {
    try (BlockReader reader = slowStore().open(BLOCK, new ReadStatistics())) {
      assertThat(nanosOfRead(reader, 0, 10)).isGreaterThanOrEqualTo(SEEK.toNanos());
      long sequential = Long.MAX_VALUE;
      for (int position = 10; position < 500; position += 10) {
        sequential = Math.min(sequential, nanosOfRead(reader, position, 10));
      }
      assertThat(sequential).isLessThan(SEEK.toNanos() / 2);
      assertThat(nanosOfRead(reader, 0, 10)).isGreaterThanOrEqualTo(SEEK.toNanos());
    }
  }

  @Test
  void seeksOfAllReadersComeOneAfterTheOther() throws Exception {
    SeekChargingStore slow = slowStore();
    SeekChargingStore another = new SeekChargingStore(files, SEEK);
    CountDownLatch ready = new CountDownLatch(2);
    ExecutorService executor = Executors.newFixedThreadPool(2);
    long begin = System.nanoTime();
    try {
      Future<Void> first = executor.submit(() -> seekFiveTimes(slow, ready));
      Future<Void> second = executor.submit(() -> seekFiveTimes(another, ready));
      first.get(30, TimeUnit.SECONDS);
      second.get(30, TimeUnit.SECONDS);
    } finally {
      executor.shutdownNow();
    }
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(10 * SEEK.toNanos());
  }

  private static Void seekFiveTimes(BlockStore store, CountDownLatch ready) throws Exception {
    try (BlockReader reader = store.open(BLOCK, new ReadStatistics())) {
      ready.countDown();
      assertThat(ready.await(10, TimeUnit.SECONDS)).isTrue();
      for (int i = 0; i < 5; i++) {
        nanosOfRead(reader, 100 * (i + 1), 10);
      }
    }
    return null;
  }

  @Test
  void anInterruptedThreadDoesNotWaitOn() {
    DiskHead head = new DiskHead();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> head.move(Duration.ofDays(1).toNanos()))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aSeekCannotTakeNegativeTime() {
    assertThatThrownBy(() -> new SeekChargingStore(files, Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
