// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.testing.HeapAllocation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes get from senders to receivers whole, on every wire. */
abstract class PushRoundTripContract {

  private static final int SMALL = 2_000;
  private static final int CHUNK = 70_000;
  private static final int JUMBO = 900_000;

  /** The name of the wire. */
  abstract String wire();

  @Provide
  Arbitrary<List<Integer>> lengths() {
    return Arbitraries.frequencyOf(
            Tuple.of(1, Arbitraries.just(0)),
            Tuple.of(6, Arbitraries.integers().between(TestEntry.LEAST_BYTES, SMALL)),
            Tuple.of(4, Arbitraries.integers().between(SMALL, CHUNK)),
            Tuple.of(1, Arbitraries.integers().between(CHUNK, JUMBO)),
            Tuple.of(1, Arbitraries.just(PagePool.PAGE_BYTES)))
        .list()
        .ofMaxSize(60);
  }

  @Property(tries = 40)
  void eachEntryArrivesOnceWhateverTheSizesAndTheMemory(
      @ForAll("lengths") List<Integer> lengths,
      @ForAll @IntRange(min = 1, max = 6) int senderPages,
      @ForAll @IntRange(min = 1, max = 12) int receiverPages,
      @ForAll @IntRange(min = 1, max = 3) int targets)
      throws Exception {
    Path directory = Files.createTempDirectory("push");
    try (PushHarness harness = new PushHarness(wire(), directory)) {
      PushReceiver[] receivers = new PushReceiver[targets];
      for (int i = 0; i < targets; i++) {
        receivers[i] = harness.receiver(receiverPages, () -> {}, Duration.ofMillis(1));
      }
      PushSender.Settings settings = new PushSender.Settings(PushHarness.JOB, new Producer(0, 0));
      try (SendingTask task =
          harness.task(settings, senderPages, targets, t -> Optional.of(receivers[t].address()))) {
        for (int i = 0; i < lengths.size(); i++) {
          task.send(new TestEntry(i % PushHarness.PARTITIONS, i, lengths.get(i)));
        }
        PushOutcome outcome = task.finish();
        task.assertExactlyOnce(receivers);
        boolean refused =
            Arrays.stream(receivers).anyMatch(each -> each.counters().refusedBatches() > 0);
        boolean tooLarge =
            lengths.stream().anyMatch(length -> length > senderPages * PagePool.PAGE_BYTES);
        assertThat(outcome.blockWritten()).isEqualTo(refused || tooLarge);
      }
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void tinyEntriesFillBatchesByTheirNumber(@TempDir Path directory) throws Exception {
    try (PushHarness harness = new PushHarness(wire(), directory)) {
      PushReceiver receiver = harness.receiver(4);
      try (SendingTask task = harness.task(0, 0, receiver)) {
        int full = 2;
        task.send(full * harness.maxEntries() + 1, TestEntry.LEAST_BYTES);
        assertThat(task.finish().blockWritten()).isFalse();
        assertThat(receiver.counters().batches()).isEqualTo(full + 1);
        task.assertExactlyOnce(receiver);
      }
    }
  }

  @Test
  void entriesOfPartitionsKeepTheirOrder(@TempDir Path directory) throws Exception {
    try (PushHarness harness = new PushHarness(wire(), directory)) {
      PushReceiver receiver = harness.receiver(40);
      try (SendingTask task = harness.task(0, 0, receiver)) {
        List<TestEntry> ofPartition = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
          TestEntry entry = new TestEntry(i % PushHarness.PARTITIONS, i, 10_000 + i);
          task.send(entry);
          if (entry.partition() == 5) {
            ofPartition.add(entry);
          }
        }
        PushOutcome outcome = task.finish();
        assertThat(outcome.blockWritten()).isFalse();
        assertThat(task.takeFrom(receiver))
            .filteredOn(entry -> entry.partition() == 5)
            .isEqualTo(ofPartition);
      }
    }
  }

  @Test
  void noBytesOfABatchAreCopiedOnTheHeap(@TempDir Path directory) throws Exception {
    long bytes = 16L << 20;
    try (PushHarness harness = new PushHarness(wire(), directory);
        PushLoad load = new PushLoad(harness.wires(), harness.pool(), bytes)) {
      load.push(bytes);
      HeapAllocation allocation = HeapAllocation.begin();
      assertThat(load.push(bytes)).isEqualTo(bytes);
      // Copied once, they would be all of it.
      assertThat(allocation.bytes()).isLessThan(bytes / 8);
    }
  }

  @Test
  void manySendersPushToManyReceiversAtOnce(@TempDir Path directory) throws Exception {
    int senders = 5;
    ExecutorService threads = Executors.newFixedThreadPool(senders);
    try (PushHarness harness = new PushHarness(wire(), directory)) {
      PushReceiver[] receivers = {
        harness.receiver(100), harness.receiver(100), harness.receiver(100)
      };
      List<Future<?>> tasks = new ArrayList<>();
      for (int i = 0; i < senders; i++) {
        int task = i;
        tasks.add(threads.submit(() -> sendMany(harness, task, receivers)));
      }
      for (Future<?> task : tasks) {
        task.get(60, TimeUnit.SECONDS);
      }
      long batches = 0;
      for (PushReceiver receiver : receivers) {
        PushCounters counters = receiver.counters();
        assertThat(counters.refusedBatches()).isZero();
        batches += counters.batches();
      }
      assertThat(batches).isGreaterThan(100);
    } finally {
      threads.shutdownNow();
    }
  }

  private static Void sendMany(PushHarness harness, int task, PushReceiver... receivers)
      throws Exception {
    SplittableRandom random = new SplittableRandom(task);
    try (SendingTask sending = harness.task(task, 0, receivers)) {
      for (int i = 0; i < 400; i++) {
        int length = random.nextInt(TestEntry.LEAST_BYTES, 60_000);
        sending.send(
            new TestEntry(random.nextInt(PushHarness.PARTITIONS), 1_000 * task + i, length));
      }
      PushOutcome outcome = sending.finish();
      assertThat(outcome.blockWritten()).isFalse();
      sending.assertExactlyOnce(receivers);
    }
    return null;
  }
}
