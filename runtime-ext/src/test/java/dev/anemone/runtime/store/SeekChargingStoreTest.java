package dev.anemone.runtime.store;

import static dev.anemone.runtime.store.BlockContents.bytes;
import static dev.anemone.runtime.store.BlockContents.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.store.file.LocalFileStoreTest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SeekChargingStoreTest extends BlockStoreContract {

  private static final BlockId BLOCK = new BlockId("dag_1/attempt_1");
  private static final Duration SEEK = Duration.ofMillis(20);

  @Override
  public BlockStore newStore(Path directory) {
    return new SeekChargingStore(new LocalFileStore(directory), Duration.ofNanos(1000));
  }

  @Override
  public void assertNothingLeft(Path directory) throws IOException {
    LocalFileStoreTest.assertEmpty(directory);
  }

  private SeekChargingStore slowStore() throws IOException {
    SeekChargingStore slow = new SeekChargingStore(store, SEEK);
    write(slow, BLOCK, WriteOrder.BY_PARTITION, bytes(1, 1000));
    return slow;
  }

  @Test
  void everySeekTakesItsTimeAndNothingElseDoes() throws IOException {
    try (BlockReader reader = slowStore().open(BLOCK, new ReadStatistics())) {
      assertThat(nanosOfRead(reader, 0)).isGreaterThanOrEqualTo(SEEK.toNanos());
      long sequential = Long.MAX_VALUE;
      for (int position = 10; position < 500; position += 10) {
        sequential = Math.min(sequential, nanosOfRead(reader, position));
      }
      assertThat(sequential).isLessThan(SEEK.toNanos() / 2);
      assertThat(nanosOfRead(reader, 0)).isGreaterThanOrEqualTo(SEEK.toNanos());
    }
  }

  private static long nanosOfRead(BlockReader reader, int position) throws IOException {
    long begin = System.nanoTime();
    reader.read(0, position, ByteBuffer.allocate(10));
    return System.nanoTime() - begin;
  }

  @Test
  void seeksOfAllReadersComeOneAfterTheOther() throws Exception {
    SeekChargingStore slow = slowStore();
    SeekChargingStore another = new SeekChargingStore(store, SEEK);
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
        nanosOfRead(reader, 100 * (i + 1));
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
    assertThatThrownBy(() -> new SeekChargingStore(store, Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
