// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.shuffle.format.Producer;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What receivers do, on every wire. */
abstract class PushReceiverContract {

  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private PushHarness harness;

  /** The name of the wire. */
  abstract String wire();

  @BeforeEach
  void open() {
    harness = new PushHarness(wire(), directory);
  }

  @AfterEach
  void nothingIsLeft() {
    if (harness != null) {
      harness.close();
    }
  }

  private static BitSet bits(int... numbers) {
    BitSet bits = new BitSet();
    for (int number : numbers) {
      bits.set(number);
    }
    return bits;
  }

  @Test
  void batchesOfAProducerSharePages() throws Exception {
    PushReceiver receiver = harness.receiver(2);
    try (SendingTask task =
        harness.task(
            new PushSender.Settings(PushHarness.JOB, new Producer(0, 0)),
            1,
            1,
            target -> Optional.of(receiver.address()))) {
      task.send(5, 100_000);
      assertThat(task.finish().blockWritten()).isFalse();
      assertThat(receiver.counters()).isEqualTo(new PushCounters(3, 500_000, 0));
      assertThat(harness.takenBytes()).isEqualTo(2L * PagePool.PAGE_BYTES);
      task.assertExactlyOnce(receiver);
    }
  }

  @Test
  void whatDoesNotFitIsRefusedAndFallsBack() throws Exception {
    AtomicInteger hints = new AtomicInteger();
    PushReceiver receiver = harness.receiver(4, hints::incrementAndGet, Duration.ofMillis(20));
    try (SendingTask task = harness.task(0, 0, receiver)) {
      task.send(200, 20_000);
      PushOutcome outcome = task.finish();
      assertThat(outcome.pushedBytes()).isBetween(500_000L, 4L * PagePool.PAGE_BYTES);
      assertThat(outcome.fallenBackBytes()).isEqualTo(4_000_000 - outcome.pushedBytes());
      assertThat(receiver.counters().bytes()).isEqualTo(outcome.pushedBytes());
      assertThat(receiver.counters().refusedBatches()).isPositive();
      assertThat(hints).hasPositiveValue();
      task.assertExactlyOnce(receiver);
    }
  }

  @Test
  void aBatchWaitsUntilMemoryIsFreed() throws Exception {
    CountDownLatch isShort = new CountDownLatch(1);
    PushReceiver receiver = harness.receiver(4, isShort::countDown, LONG);
    try (SendingTask first = harness.task(0, 0, receiver);
        SendingTask second = harness.task(1, 0, receiver)) {
      first.send(4, 250_000);
      assertThat(first.finish().blockWritten()).isFalse();
      CompletableFuture<PushOutcome> pushed =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  second.send(4, 250_000);
                  return second.finish();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      assertThat(isShort.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(receiver.counters().bytes()).isEqualTo(1_000_000);
      first.assertExactlyOnce(receiver);
      assertThat(pushed.get(20, TimeUnit.SECONDS).blockWritten()).isFalse();
      second.assertExactlyOnce(receiver);
    }
    assertThat(receiver.counters().refusedBatches()).isZero();
  }

  @Test
  void theOwnerCanFreeMemoryByItself() throws Exception {
    CountDownLatch isShort = new CountDownLatch(1);
    var memory = harness.memory(2);
    var ownersPages = List.of(memory.tryTake(), memory.tryTake());
    try (PushReceiver receiver =
            PushReceiver.open(
                harness.wires(),
                InetAddress.getLoopbackAddress(),
                new PushReceiver.Settings(PushHarness.JOB, LONG, LONG, LONG),
                memory,
                isShort::countDown);
        SendingTask task = harness.task(0, 0, receiver)) {
      CompletableFuture<Void> freed =
          CompletableFuture.runAsync(
              () -> {
                PushHarness.await("hint", () -> isShort.getCount() == 0);
                ownersPages.forEach(memory::giveBack);
                receiver.memoryFreed();
              });
      task.send(1, 250_000);
      assertThat(task.finish().blockWritten()).isFalse();
      freed.get(20, TimeUnit.SECONDS);
      task.assertExactlyOnce(receiver);
    }
    memory.close();
  }

  @Test
  void aSecondAttemptReplacesOneThatWasKilledHalfWay() throws Exception {
    PushReceiver receiver = harness.receiver(40);
    SendingTask killed = harness.task(7, 0, receiver);
    killed.send(30, 50_000);
    PushHarness.await("first batches", () -> receiver.counters().batches() >= 2);
    killed.close();
    try (SendingTask second = harness.task(7, 1, receiver)) {
      second.send(30, 50_000);
      second.finish();
      second.assertExactlyOnce(receiver);
    }
    assertThat(harness.takenBytes()).isPositive();
    receiver.discard(killed.producer());
    PushHarness.await("the end of reads", () -> harness.takenBytes() == 0);
  }

  @Test
  void batchesThatAreNotNamedAreDropped() throws Exception {
    PushReceiver receiver = harness.receiver(40);
    try (SendingTask task = harness.task(0, 0, receiver)) {
      task.send(12, 250_000);
      PushOutcome outcome = task.finish();
      assertThat(outcome.pushed()).hasSize(1);
      assertThat(outcome.pushed().get(0).batches())
          .isEqualTo(bits(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
      PartitionBytes taken = new PartitionBytes();
      try (PushedBatches batches = receiver.take(task.producer(), bits(2, 9)).orElseThrow()) {
        assertThat(harness.takenBytes()).isEqualTo(4L * PagePool.PAGE_BYTES);
        batches.forEach(taken::append);
      }
      assertThat(taken.entries()).containsExactly(task.sent().get(2), task.sent().get(9));
      assertThat(harness.takenBytes()).isZero();
    }
  }

  @Test
  void nothingIsTakenWhenABatchIsMissing() throws Exception {
    PushReceiver receiver = harness.receiver(40);
    try (SendingTask task = harness.task(0, 0, receiver)) {
      task.send(3, 250_000);
      task.finish();
      assertThat(receiver.take(task.producer(), bits(0, 1, 2, 3))).isEmpty();
      assertThat(harness.takenBytes()).isZero();
      assertThat(receiver.take(task.producer(), bits(0))).isEmpty();
    }
    assertThat(receiver.take(new Producer(9, 0), bits(0))).isEmpty();
  }

  @Test
  void aProducerThatPushedNothingHasNoBatches() throws Exception {
    PushReceiver receiver = harness.receiver(4);
    try (PushedBatches none = receiver.take(new Producer(3, 0), bits()).orElseThrow()) {
      assertThat(none.bytes()).isZero();
      none.forEach((partition, bytes, raw) -> assertThat(bytes.hasRemaining()).isFalse());
    }
  }

  @Test
  void batchesOfADiscardedProducerAreStaleAndFallBack() throws Exception {
    PushReceiver receiver = harness.receiver(40);
    try (SendingTask task = harness.task(0, 0, receiver)) {
      task.send(4, 250_000);
      PushHarness.await("first batches", () -> receiver.counters().batches() >= 2);
      receiver.discard(task.producer());
      long before = receiver.counters().bytes();
      task.send(10, 250_000);
      PushOutcome outcome = task.finish();
      assertThat(outcome.pushedBytes()).isLessThanOrEqualTo(before + 250_000);
      assertThat(outcome.pushedBytes() + outcome.fallenBackBytes()).isEqualTo(14 * 250_000L);
      assertThat(receiver.counters().refusedBatches()).isPositive();
      assertThat(receiver.take(task.producer(), outcome.pushed().get(0).batches())).isEmpty();
    }
    try (SendingTask late = harness.task(0, 0, receiver)) {
      late.send(1, 100);
      assertThat(late.finish().pushed()).isEmpty();
    }
  }

  @Test
  void whenTheReceiverClosesTheRestFallsBack() throws Exception {
    PushReceiver receiver = harness.receiver(40);
    try (SendingTask task = harness.task(0, 0, receiver)) {
      task.send(6, 250_000);
      PushHarness.await("first batches", () -> receiver.counters().batches() >= 2);
      receiver.close();
      long received = receiver.counters().bytes();
      task.send(10, 250_000);
      PushOutcome outcome = task.finish();
      assertThat(outcome.pushedBytes()).isLessThanOrEqualTo(received);
      assertThat(outcome.fallenBackBytes()).isGreaterThanOrEqualTo(10 * 250_000L);
      assertThat(outcome.pushedBytes() + outcome.fallenBackBytes()).isEqualTo(16 * 250_000L);
      assertThat(task.fallenBack()).doesNotHaveDuplicates();
    }
  }

  @Test
  void onlySendersOfTheJobAreLetIn() throws Exception {
    PushReceiver receiver = harness.receiver(4);
    assertTurnedAway(receiver, "another-job", receiver.address());
  }

  @Test
  void theAddressOfAReceiverThatIsGoneIsStale() throws Exception {
    PushReceiver receiver = harness.receiver(4);
    PushAddress now = receiver.address();
    assertTurnedAway(
        receiver, PushHarness.JOB, new PushAddress(now.wire(), now.host(), now.port(), "gone"));
  }

  private void assertTurnedAway(PushReceiver receiver, String job, PushAddress address)
      throws Exception {
    try (SendingTask task =
        harness.task(
            new PushSender.Settings(job, new Producer(0, 0)), 4, 1, t -> Optional.of(address))) {
      task.send(20, 100_000);
      PushOutcome outcome = task.finish();
      assertThat(outcome.pushed()).isEmpty();
      task.assertExactlyOnce(receiver);
    }
    assertThat(receiver.counters()).isEqualTo(new PushCounters(0, 0, 0));
  }

  @Test
  void aProducerConnectsOnce() throws Exception {
    PushReceiver receiver = harness.receiver(8);
    try (SendingTask first = harness.task(0, 0, receiver)) {
      first.send(3, 100_000);
      first.finish();
      try (SendingTask again = harness.task(0, 0, receiver)) {
        again.send(3, 100_000);
        assertThat(again.finish().pushed()).isEmpty();
      }
      first.assertExactlyOnce(receiver);
    }
  }

  @Test
  void wildcardAddressesAndImpossibleNamesAreRefused() throws Exception {
    assertThatThrownBy(
            () ->
                PushReceiver.open(
                    harness.wires(),
                    InetAddress.getByName("0.0.0.0"),
                    new PushReceiver.Settings(PushHarness.JOB),
                    harness.memory(1),
                    () -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one network interface");
    assertThatThrownBy(() -> new Hello("j".repeat(2000), "r", new Producer(0, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2001");
  }
}
