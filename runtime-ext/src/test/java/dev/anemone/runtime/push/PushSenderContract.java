// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.PushAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What senders do, on every wire. */
abstract class PushSenderContract {

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

  private SendingTask impatientTask(PushAddress address) {
    return harness.task(harness.impatient(0), 8, 1, target -> Optional.of(address));
  }

  @Test
  void everythingFallsBackToATargetThatIsNotAnnounced() throws Exception {
    try (SendingTask task = harness.task(harness.impatient(0), 4, 2, target -> Optional.empty())) {
      task.send(30, 50_000);
      assertThat(task.finish()).isEqualTo(new PushOutcome(List.of(), true, false, 0, 0, 1_500_000));
      assertThat(task.fallenBack()).containsExactlyInAnyOrderElementsOf(task.sent());
    }
  }

  @Test
  void everythingFallsBackWhenTheReceiverSpeaksWhatTheSenderDoesNot() throws Exception {
    PushReceiver receiver = harness.receiver(8);
    PushAddress here = receiver.address();
    PushAddress other = new PushAddress("verbs", here.host(), here.port(), here.receiverId());
    try (SendingTask task = impatientTask(other)) {
      task.send(30, 50_000);
      assertThat(task.finish()).isEqualTo(new PushOutcome(List.of(), true, false, 0, 0, 1_500_000));
      assertThat(task.fallenBack()).containsExactlyInAnyOrderElementsOf(task.sent());
    }
    assertThat(receiver.counters()).isEqualTo(new PushCounters(0, 0, 0));
  }

  @Test
  void whatComesAfterTheAnnouncementIsPushed() throws Exception {
    PushReceiver receiver = harness.receiver(40);
    AtomicReference<PushAddress> address = new AtomicReference<>();
    try (SendingTask task =
        harness.task(harness.impatient(0), 8, 1, target -> Optional.ofNullable(address.get()))) {
      task.send(10, 50_000);
      address.set(receiver.address());
      task.send(20, 50_000);
      PushOutcome outcome = task.finish();
      assertThat(outcome.fallenBackBytes()).isEqualTo(500_000);
      assertThat(outcome.pushedBytes()).isEqualTo(1_000_000);
      task.assertExactlyOnce(receiver);
    }
  }

  @Test
  void nothingIsLostWhenNothingListens() throws Exception {
    int port;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = taken.getLocalPort();
    }
    try (SendingTask task =
        impatientTask(new PushAddress(harness.wire(), "127.0.0.1", port, "nobody"))) {
      task.send(30, 50_000);
      assertThat(task.finish()).isEqualTo(new PushOutcome(List.of(), true, false, 0, 0, 1_500_000));
      assertThat(task.fallenBack()).containsExactlyInAnyOrderElementsOf(task.sent());
    }
  }

  @Test
  void aReceiverThatNeverAnswersIsGivenUp() throws Exception {
    try (ScriptedReceiver silent = ScriptedReceiver.start(wire(), ScriptedReceiver::awaitEnd);
        SendingTask task = impatientTask(silent.address())) {
      long start = System.nanoTime();
      task.send(60, 100_000);
      assertThat(task.finish()).isEqualTo(new PushOutcome(List.of(), true, false, 0, 0, 6_000_000));
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isBetween(harness.impatience(), Duration.ofSeconds(30));
      assertThat(task.fallenBack()).containsExactlyInAnyOrderElementsOf(task.sent());
    }
  }

  @Test
  void aReceiverThatStopsAnsweringKeepsOnlyWhatItAcknowledged() throws Exception {
    try (ScriptedReceiver stalling =
            ScriptedReceiver.start(
                wire(),
                receiver -> {
                  receiver.welcome();
                  receiver.reply('A', receiver.readBatch());
                  receiver.reply('A', receiver.readBatch());
                  receiver.awaitEnd();
                });
        SendingTask task = impatientTask(stalling.address())) {
      task.send(60, 100_000);
      PushOutcome outcome = task.finish();
      assertOutcomeIs(stalling, task, outcome, 0, 1);
    }
  }

  @Test
  void aReceiverThatDisconnectsKeepsOnlyWhatItAcknowledged() throws Exception {
    try (ScriptedReceiver vanishing =
            ScriptedReceiver.start(
                wire(),
                receiver -> {
                  receiver.welcome();
                  receiver.reply('A', receiver.readBatch());
                  receiver.hangUp();
                  receiver.awaitEnd();
                });
        SendingTask task = impatientTask(vanishing.address())) {
      task.send(60, 100_000);
      assertOutcomeIs(vanishing, task, task.finish(), 0);
    }
  }

  private static void assertOutcomeIs(
      ScriptedReceiver receiver, SendingTask task, PushOutcome outcome, int... batches)
      throws Exception {
    BitSet expected = new BitSet();
    for (int batch : batches) {
      expected.set(batch);
    }
    assertThat(outcome.pushed()).containsExactly(new PushOutcome.Pushed(0, "scripted", expected));
    List<TestEntry> arrived = new ArrayList<>(receiver.received());
    arrived.addAll(task.fallenBack());
    assertThat(arrived).containsExactlyInAnyOrderElementsOf(task.sent());
  }

  @Test
  void anAcknowledgementBehindARefusalDoesNotCount() throws Exception {
    try (ScriptedReceiver confused =
            ScriptedReceiver.start(
                wire(),
                receiver -> {
                  receiver.welcome();
                  int number = receiver.readBatch();
                  receiver.reply('F', number);
                  receiver.reply('A', number);
                  receiver.awaitEnd();
                });
        SendingTask task = impatientTask(confused.address())) {
      task.send(60, 100_000);
      assertThat(task.finish()).isEqualTo(new PushOutcome(List.of(), true, false, 0, 0, 6_000_000));
      assertThat(task.fallenBack()).containsExactlyInAnyOrderElementsOf(task.sent());
    }
  }

  @Test
  void aReceiverThatDoesNotKnowTheSecretGetsNoBatch() throws Exception {
    AtomicLong further = new AtomicLong();
    try (ScriptedReceiver stranger =
            ScriptedReceiver.start(
                wire(),
                receiver -> {
                  receiver.challenge(JobSecret.random());
                  further.set(receiver.awaitEnd());
                });
        SendingTask task = impatientTask(stranger.address())) {
      assertEverythingFallsBack(task);
      assertThat(stranger.received()).isEmpty();
      assertThat(further).as("bytes behind the greeting").hasValue(0);
    }
  }

  @Test
  void aReceiverThatProvesNothingGetsNoBatch() throws Exception {
    AtomicLong came = new AtomicLong();
    try (ScriptedReceiver stranger =
            ScriptedReceiver.start(
                wire(),
                receiver -> {
                  receiver.reply('W', 0);
                  came.set(receiver.awaitEnd());
                });
        SendingTask task = impatientTask(stranger.address())) {
      assertEverythingFallsBack(task);
      assertThat(stranger.received()).isEmpty();
      assertThat(came).as("bytes of the greeting").hasValueLessThan(200);
    }
  }

  private static void assertEverythingFallsBack(SendingTask task) throws Exception {
    task.send(60, 100_000);
    assertThat(task.finish()).isEqualTo(new PushOutcome(List.of(), true, false, 0, 0, 6_000_000));
    assertThat(task.fallenBack()).containsExactlyInAnyOrderElementsOf(task.sent());
  }

  @Test
  void anAnswerThatIsNoneIsLikeADisconnection() throws Exception {
    try (ScriptedReceiver alien =
            ScriptedReceiver.start(
                wire(),
                receiver -> {
                  receiver.reply('H', 0x5454502f);
                  receiver.awaitEnd();
                });
        SendingTask task = impatientTask(alien.address())) {
      task.send(3, 100_000);
      assertThat(task.finish().pushed()).isEmpty();
      assertThat(task.fallenBack()).containsExactlyInAnyOrderElementsOf(task.sent());
    }
  }

  @Test
  void aFullReceiverGetsBatchesAgainAfterAPause() throws Exception {
    try (ScriptedReceiver once =
            ScriptedReceiver.start(
                wire(),
                receiver -> {
                  receiver.welcome();
                  receiver.reply('F', receiver.readBatch());
                  receiver.reply('A', receiver.readBatch());
                  receiver.awaitEnd();
                });
        SendingTask task =
            harness.task(harness.impatient(0), 1, 1, target -> Optional.of(once.address()))) {
      long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
      PushOutcome outcome = null;
      while (outcome == null) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        task.send(1, 250_000);
        if (task.sent().size() >= 2000) {
          outcome = task.finish();
        }
      }
      assertThat(outcome.pushed()).hasSize(1);
      assertThat(outcome.pushed().get(0).batches().nextSetBit(0)).isEqualTo(1);
      assertThat(outcome.pushedBytes()).isEqualTo(250_000);
    }
  }

  @Test
  void whoHasLittleKeepsWhatItPushes() throws Exception {
    PushReceiver receiver = harness.receiver(8);
    try (SendingTask task =
        harness.task(harness.keeping(500_000), 8, 1, target -> Optional.of(receiver.address()))) {
      task.send(4, 50_000);
      PushOutcome outcome = task.finish();
      assertThat(outcome.complete()).isTrue();
      assertThat(outcome.pushedBytes()).isEqualTo(200_000);
      assertThat(outcome.fallenBackBytes()).isZero();
      assertThat(task.fallenBack()).containsExactlyInAnyOrderElementsOf(task.sent());
      assertThat(task.takeFrom(receiver)).containsExactlyInAnyOrderElementsOf(task.sent());
    }
  }

  @Test
  void whoHasMoreThanItMayKeepKeepsNothing() throws Exception {
    PushReceiver receiver = harness.receiver(8);
    try (SendingTask task =
        harness.task(harness.keeping(199_999), 8, 1, target -> Optional.of(receiver.address()))) {
      task.send(4, 50_000);
      assertThat(task.finish().complete()).isFalse();
      assertThat(task.fallenBack()).isEmpty();
      task.assertExactlyOnce(receiver);
    }
  }

  @Test
  void whoHasSentSomethingKeepsNothing() throws Exception {
    PushReceiver receiver = harness.receiver(8);
    try (SendingTask task =
        harness.task(harness.keeping(9_000_000), 8, 1, target -> Optional.of(receiver.address()))) {
      task.send(8, 50_000);
      assertThat(task.finish().complete()).isFalse();
      assertThat(task.fallenBack()).isEmpty();
      task.assertExactlyOnce(receiver);
    }
  }

  @Test
  void whatIsKeptIsPushedOnlyToTargetsThatGetAllOfTheirs() throws Exception {
    PushReceiver first = harness.receiver(8);
    PushReceiver second = harness.receiver(8);
    AtomicReference<PushAddress> late = new AtomicReference<>();
    try (SendingTask task =
        harness.task(
            harness.keeping(1_000_000),
            8,
            2,
            target -> Optional.ofNullable(target == 0 ? first.address() : late.get()))) {
      task.send(2, 50_000);
      late.set(second.address());
      task.send(4, 50_000);
      PushOutcome outcome = task.finish();
      assertThat(outcome.complete()).isTrue();
      assertThat(outcome.pushed()).extracting(PushOutcome.Pushed::target).containsExactly(0);
      assertThat(outcome.pushedBytes()).isEqualTo(150_000);
      assertThat(outcome.fallenBackBytes()).isEqualTo(150_000);
      assertThat(task.fallenBack()).containsExactlyInAnyOrderElementsOf(task.sent());
      assertThat(task.takeFrom(first, second)).hasSize(3);
    }
  }

  @Test
  void whatIsKeptAndRefusedIsInTheBlockOnce() throws Exception {
    try (ScriptedReceiver full =
            ScriptedReceiver.start(
                wire(),
                receiver -> {
                  receiver.welcome();
                  receiver.reply('F', receiver.readBatch());
                  receiver.awaitEnd();
                });
        SendingTask task =
            harness.task(harness.keeping(500_000), 8, 1, target -> Optional.of(full.address()))) {
      task.send(4, 50_000);
      assertThat(task.finish()).isEqualTo(new PushOutcome(List.of(), true, true, 0, 0, 200_000));
      assertThat(task.fallenBack()).containsExactlyInAnyOrderElementsOf(task.sent());
    }
  }

  @Test
  void whoKeepsWhatItPushesOutlivesItsReceiver() throws Exception {
    PushReceiver first = harness.receiver(8);
    PushReceiver second = harness.receiver(8);
    try (SendingTask task =
        harness.task(
            harness.keeping(500_000),
            8,
            1,
            target -> Optional.of((first.counters().batches() == 0 ? first : second).address()))) {
      task.send(4, 50_000);
      PushOutcome outcome = task.finish();
      assertThat(outcome.pushed())
          .extracting(PushOutcome.Pushed::receiverId)
          .containsExactly(first.address().receiverId());
      assertThat(task.fallenBack()).containsExactlyInAnyOrderElementsOf(task.sent());
    }
  }

  @Test
  void whoCopiesHasAllThatItPushesInTheBlock() throws Exception {
    PushReceiver receiver = harness.receiver(20);
    try (SendingTask task =
        harness.task(harness.copying(), 8, 1, target -> Optional.of(receiver.address()))) {
      task.send(20, 250_000);
      PushOutcome outcome = task.finish();
      assertThat(outcome.complete()).isTrue();
      assertThat(outcome.pushedBytes()).isEqualTo(5_000_000);
      assertThat(outcome.fallenBackBytes()).isZero();
      assertThat(task.fallenBack()).containsExactlyInAnyOrderElementsOf(task.sent());
      assertThat(task.takeFrom(receiver)).containsExactlyInAnyOrderElementsOf(task.sent());
    }
  }

  @Test
  void whatFallsBackTakesThePlaceOfCopies() throws Exception {
    PushReceiver receiver = harness.receiver(3);
    try (SendingTask task =
        harness.task(harness.copying(), 8, 1, target -> Optional.of(receiver.address()))) {
      task.send(40, 250_000);
      PushOutcome outcome = task.finish();
      assertThat(outcome.complete()).isFalse();
      assertThat(outcome.pushed()).isNotEmpty();
      assertThat(outcome.fallenBackBytes()).isPositive();
      task.assertExactlyOnce(receiver);
    }
  }

  @Test
  void whoseFirstBytesFallBackCopiesNothing() throws Exception {
    PushReceiver receiver = harness.receiver(20);
    AtomicReference<PushAddress> late = new AtomicReference<>();
    try (SendingTask task =
        harness.task(harness.copying(), 8, 1, target -> Optional.ofNullable(late.get()))) {
      task.send(4, 250_000);
      late.set(receiver.address());
      task.send(16, 250_000);
      PushOutcome outcome = task.finish();
      assertThat(outcome.complete()).isFalse();
      assertThat(outcome.fallenBackBytes()).isEqualTo(1_000_000);
      task.assertExactlyOnce(receiver);
    }
  }

  @Test
  void aTaskWhoseReceiverIsReplacedHasToRunAgain() throws Exception {
    PushReceiver first = harness.receiver(20);
    PushReceiver second = harness.receiver(20);
    AtomicReference<PushReceiver> now = new AtomicReference<>(first);
    try (SendingTask task =
        harness.task(harness.impatient(0), 8, 1, target -> Optional.of(now.get().address()))) {
      task.send(5, 250_000);
      PushHarness.await("a batch", () -> first.counters().batches() > 0);
      now.set(second);
      assertThatThrownBy(
              () -> {
                task.send(5, 250_000);
                task.finish();
              })
          .isInstanceOf(LostReceiverException.class)
          .hasMessageContaining(first.address().receiverId())
          .hasMessageContaining(second.address().receiverId())
          .hasMessageContaining("has to run again");
    }
  }

  @Test
  void closingGivesPagesBackThatTheNetworkHasNotSentYet() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    try (ScriptedReceiver stuck =
        ScriptedReceiver.start(
            wire(),
            receiver -> {
              receiver.welcome();
              PushHarness.await("close", () -> closed.getCount() == 0);
            })) {
      SendingTask task =
          harness.task(harness.impatient(0), 64, 1, target -> Optional.of(stuck.address()));
      task.send(64, 250_000);
      task.close();
      closed.countDown();
    }
  }

  @Test
  void anInterruptedTaskStopsWaitingAndGivesItsPagesBack() throws Exception {
    try (ScriptedReceiver silent = ScriptedReceiver.start(wire(), ScriptedReceiver::awaitEnd);
        SendingTask task = impatientTask(silent.address())) {
      task.send(4, 100_000);
      Thread.currentThread().interrupt();
      assertThatThrownBy(task::finish).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void anErrorOfTheFallbackBlockEndsTheTask() throws Exception {
    var memory = harness.memory(4);
    try (ScriptedReceiver silent = ScriptedReceiver.start(wire(), ScriptedReceiver::awaitEnd);
        PushSender sender =
            new PushSender(
                harness.impatient(0),
                harness.wires(),
                memory,
                partition -> 0,
                1,
                target -> Optional.of(silent.address()),
                () -> {
                  throw new IOException("no space left");
                })) {
      assertThatThrownBy(
              () -> {
                sender.accept(0, new TestEntry(0, 1, 100_000).bytes(), 0);
                sender.finish();
              })
          .isInstanceOf(IOException.class)
          .hasMessage("no space left");
    }
    memory.close();
  }
}
