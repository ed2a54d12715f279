// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.push.protocol.PushAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What a sender knows of one target. It stays with the first receiver that it hears of: when this
 * one is gone, the rest falls back. Used by the sender's thread.
 */
final class SenderTarget {

  // How soon a full receiver is asked again. It costs one batch, which falls back; neither the end
  // of a
  // job nor its answer depends on it, so these are no options.
  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(20).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(2).toNanos();

  private final int index;

  /** In the order of their numbers; they are few, since each has a page. */
  private final List<OutgoingBatch> unanswered = new ArrayList<>();

  private final BitSet acknowledged = new BitSet();
  private PushAddress address;
  private SenderConnection connection;
  private OutgoingBatch open;
  private int nextNumber;
  private boolean failed;
  private boolean fallenBack;
  private long pauseNanos;
  private long pausedUntil;
  private long lastAnswer;

  SenderTarget(int index) {
    this.index = index;
  }

  int index() {
    return index;
  }

  /** The batch that is being filled, or null. */
  OutgoingBatch open() {
    return open;
  }

  void setOpen(OutgoingBatch batch) {
    open = batch;
  }

  /** The connection, once there is one. */
  SenderConnection connection() {
    return connection;
  }

  boolean isConnected() {
    return connection != null;
  }

  void connect(PushAddress to, SenderConnection by) {
    address = to;
    connection = by;
  }

  /** Whether what it gets goes over a transport; it is connected. */
  boolean isByTransport() {
    return PushWires.isTransport(address.wire());
  }

  /** Whether batches can be sent, as far as is known. */
  boolean isUsable(long now) {
    return connection != null && !failed && !isPaused(now);
  }

  void send(OutgoingBatch batch, OutgoingBatches batches, long now) {
    if (unanswered.isEmpty()) {
      lastAnswer = now;
    }
    batches.send(batch, nextNumber++);
    unanswered.add(batch);
    connection.send(batch);
  }

  /** Whether any batch was ever sent. */
  boolean hasSent() {
    return nextNumber > 0;
  }

  /** Notes that something for it is in the block only. */
  void fallsBack() {
    fallenBack = true;
  }

  boolean hasFallenBack() {
    return fallenBack;
  }

  boolean hasUnanswered() {
    return !unanswered.isEmpty();
  }

  /** When it has been silent for too long, if it has something to answer. */
  long deadline(Duration timeout) {
    return lastAnswer + timeout.toNanos();
  }

  /** The batch that an answer is for; null when none such is waiting for one. */
  OutgoingBatch answered(int number, long now) {
    lastAnswer = now;
    for (int i = 0; i < unanswered.size(); i++) {
      if (unanswered.get(i).number() == number) {
        return unanswered.remove(i);
      }
    }
    return null;
  }

  void acknowledge(OutgoingBatch batch) {
    acknowledged.set(batch.number());
    pauseNanos = 0;
  }

  /**
   * Notes that the receiver was full: it gets nothing for a while, and for longer each time that it
   * is full again afterwards. Batches that were on their way already make no difference.
   */
  void pause(long now) {
    if (isPaused(now)) {
      return;
    }
    pauseNanos = Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, 2 * pauseNanos));
    pausedUntil = now + pauseNanos;
  }

  private boolean isPaused(long now) {
    return pauseNanos > 0 && now - pausedUntil < 0;
  }

  boolean hasFailed() {
    return failed;
  }

  /** Gives up before there was a connection. */
  void giveUp() {
    failed = true;
  }

  /** Gives up; answers that come from now on do not count. What was acknowledged does. */
  Collection<OutgoingBatch> fail() {
    failed = true;
    connection.close();
    List<OutgoingBatch> left = List.copyOf(unanswered);
    unanswered.clear();
    return left;
  }

  void disconnect() {
    if (connection != null) {
      connection.close();
    }
  }

  /**
   * Checks that what was acknowledged has not been lost.
   *
   * @param announced the newest address
   * @throws LostReceiverException when there is another receiver now
   */
  void checkAddress(Optional<PushAddress> announced) throws LostReceiverException {
    if (!acknowledged.isEmpty()
        && announced.isPresent()
        && !announced.get().receiverId().equals(address.receiverId())) {
      throw new LostReceiverException(index, acknowledged.cardinality(), address, announced.get());
    }
  }

  /** What it has acknowledged, if anything. */
  Optional<PushOutcome.Pushed> pushed() {
    return acknowledged.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PushOutcome.Pushed(index, address.receiverId(), (BitSet) acknowledged.clone()));
  }
}
