// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.PushReceiver;
import dev.anemone.runtime.push.PushedBatches;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.TaskWaits;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import java.io.Closeable;
import java.io.IOException;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is pushed to an aggregation task, on its way into the task's block. It waits in memory until
 * its producer's attempt has succeeded. When memory is short it goes into the block before: chunks
 * say whose they are, and readers leave out the attempts that turn out not to count.
 *
 * <p>Used by the task's thread.
 */
final class PushIntake implements Closeable {

  private final int task;
  private final int attempt;
  private final Optional<PushReceiver> receiver;
  private final PartitionGatherer gatherer;

  /** Attempts that have something in the block, or soon will, and have not succeeded yet. */
  private final Set<Producer> unsettled = new LinkedHashSet<>();

  private PushIntake(
      TaskAttempt attempt, Optional<PushReceiver> receiver, PartitionGatherer gatherer) {
    this.task = attempt.task();
    this.attempt = attempt.attempt();
    this.receiver = receiver;
    this.gatherer = gatherer;
  }

  /**
   * Starts to take what is pushed, if anybody pushes to the attempt.
   *
   * @param memory for what is on its way
   * @param gatherer gets what goes into the block
   * @param feed is told when memory is short
   */
  static PushIntake open(
      TaskAttempt attempt,
      DataPlane plane,
      TaskMemory memory,
      PartitionGatherer gatherer,
      SourceFeed feed)
      throws IOException {
    Optional<PushReceiver> receiver =
        attempt.plan().inputs().stream().anyMatch(Link::push)
            ? Optional.of(
                PushReceiver.open(
                    plane.pushWires(),
                    plane.pushInterface(),
                    settings(attempt.plan().job()),
                    memory,
                    () -> feed.add(new InputEvent.MemoryShort())))
            : Optional.empty();
    return new PushIntake(attempt, receiver, gatherer);
  }

  private static PushReceiver.Settings settings(StagePlan.Job job) {
    TaskWaits waits = job.waits();
    return new PushReceiver.Settings(
        job.id(), waits.pushReply(), waits.pushMemory(), waits.pushClose());
  }

  /** Where producers push to; empty when none of them does. */
  Optional<PushAddress> address() {
    return receiver.map(PushReceiver::address);
  }

  /** Writes what is in memory into the block, if a batch has found no room. */
  void makeRoom() throws IOException {
    Map<Producer, PushedBatches> spilled = receiver.map(PushReceiver::spill).orElse(Map.of());
    unsettled.addAll(spilled.keySet());
    for (Map.Entry<Producer, PushedBatches> batches : spilled.entrySet()) {
      gatherer.add(batches.getKey(), batches.getValue());
    }
    if (gatherer.heldBytes() > 0) {
      gatherer.flush();
    }
  }

  /**
   * Takes what an attempt has pushed that has succeeded.
   *
   * @return false when it is not what the attempt says, and the producer has to run again
   */
  boolean take(BlockAnnouncement announcement) throws IOException {
    Producer producer = announcement.producer();
    Optional<BlockAnnouncement.Pushed> pushed = announcement.pushedTo(task, attempt);
    if (pushed.isEmpty() && !unsettled.contains(producer)) {
      discard(producer);
      return true;
    }
    BitSet named = pushed.map(BlockAnnouncement.Pushed::batches).orElseGet(BitSet::new);
    Optional<PushedBatches> batches =
        receiver
            .filter(r -> pushed.isEmpty() || pushed.get().attempt() == attempt)
            .flatMap(r -> r.take(producer, named));
    if (batches.isEmpty()) {
      return false;
    }
    unsettled.remove(producer);
    gatherer.add(producer, batches.get());
    return true;
  }

  /** Drops what an attempt has pushed; what is in the block already stays unsettled. */
  void discard(Producer producer) {
    receiver.ifPresent(r -> r.discard(producer));
  }

  /** Drops what other attempts of a producer's task have pushed, since this one has succeeded. */
  void discardOthers(Producer succeeded) {
    receiver.ifPresent(r -> r.discardOthers(succeeded));
  }

  /** The attempts that have something in the block that does not count. */
  Set<Producer> unsettled() {
    return Set.copyOf(unsettled);
  }

  /** Closes all connections and drops what was not taken. */
  @Override
  public void close() {
    receiver.ifPresent(PushReceiver::close);
  }
}
