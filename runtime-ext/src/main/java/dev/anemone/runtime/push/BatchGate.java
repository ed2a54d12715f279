// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.push.ProducerLog.Admission;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Lets the batches of one connection into its log, one after the other. While there is no memory
 * for a batch, it waits until memory is freed, up to the receiver's patience. When that was in
 * vain, the next ones do not wait: their sender knows by then that the receiver is full.
 *
 * <p>Used by the tasks of one executor, which runs one at a time; {@link #tryAgain} by any thread.
 */
public final class BatchGate {

  private final PushReceiver receiver;
  private final ProducerLog log;
  private final Executor executor;
  private final ScheduledExecutorService timer;
  private final Consumer<Admission> later;
  private ArrivingBatch waiting;

  /** Tells one wait from a later one, even of the same object. */
  private int waits;

  private Future<?> deadline;
  private boolean waitedInVain;

  /**
   * A gate.
   *
   * @param executor runs {@code later}
   * @param timer tells when patience is over
   * @param later is told of the decision on a batch that had to wait
   */
  public BatchGate(
      PushReceiver receiver,
      ProducerLog log,
      Executor executor,
      ScheduledExecutorService timer,
      Consumer<Admission> later) {
    this.receiver = receiver;
    this.log = log;
    this.executor = executor;
    this.timer = timer;
    this.later = later;
  }

  /** Whether a batch waits; no other may ask then. */
  public boolean isWaiting() {
    return waiting != null;
  }

  /** Asks for a batch; null when it has to wait, and the decision comes later. */
  public Admission ask(ArrivingBatch batch) {
    Admission admission = log.begin(batch);
    if (admission == Admission.NO_MEMORY) {
      receiver.memoryIsShort();
      admission = log.begin(batch);
    }
    if (admission == Admission.NO_MEMORY && !waitedInVain) {
      await(batch);
      return null;
    }
    waitedInVain = admission == Admission.NO_MEMORY;
    return admission;
  }

  private void await(ArrivingBatch batch) {
    waiting = batch;
    waits++;
    int wait = waits;
    deadline =
        timer.schedule(
            () -> executor.execute(() -> endPatience(wait)),
            receiver.patience().toMillis(),
            TimeUnit.MILLISECONDS);
    receiver.addWaiting(this);
    // Memory may have been freed before anybody knew that this waits.
    tryAgain();
  }

  private void endPatience(int wait) {
    if (waiting != null && waits == wait) {
      decide(log.begin(waiting));
    }
  }

  /** Tries to go on if a batch waits for memory. */
  void tryAgain() {
    executor.execute(
        () -> {
          if (waiting == null) {
            return;
          }
          Admission admission = log.begin(waiting);
          if (admission == Admission.NO_MEMORY) {
            receiver.memoryIsShort();
          } else {
            decide(admission);
          }
        });
  }

  private void decide(Admission admission) {
    stop();
    waitedInVain = admission == Admission.NO_MEMORY;
    later.accept(admission);
  }

  /** Lets the batch that waits wait no longer; nothing is decided. */
  public void stop() {
    waiting = null;
    receiver.removeWaiting(this);
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }
}
