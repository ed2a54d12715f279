// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import dev.anemone.portability.harness.Harness;
import dev.anemone.portability.harness.HarnessGoneException;
import java.util.Optional;

/**
 * Ends what a task waits for when its harness goes away. Who sends data waits for room in a stream,
 * and nobody says when that stream has ended: so the thread that sends is interrupted. Used by the
 * task's thread, and told by others.
 */
final class HarnessWatch implements AutoCloseable {

  private final Harness harness;
  private final Runnable ifGone;
  private final Runnable watcher = this::tell;
  private Optional<Thread> sender = Optional.empty();
  private boolean interrupted;

  private HarnessWatch(Harness harness, Runnable ifGone) {
    this.harness = harness;
    this.ifGone = ifGone;
  }

  /**
   * Begins to watch.
   *
   * @param ifGone is run on another thread when the harness is gone
   */
  static HarnessWatch of(Harness harness, Runnable ifGone) {
    HarnessWatch watch = new HarnessWatch(harness, ifGone);
    harness.watch(watch.watcher);
    return watch;
  }

  private synchronized void tell() {
    interrupted = sender.isPresent();
    sender.ifPresent(Thread::interrupt);
    ifGone.run();
  }

  /** The task's thread is about to send. */
  synchronized void enter() throws HarnessGoneException {
    Optional<HarnessGoneException> failure = harness.failure();
    if (failure.isPresent()) {
      throw failure.get();
    }
    sender = Optional.of(Thread.currentThread());
  }

  /** It has sent, or could not. */
  synchronized void leave() {
    sender = Optional.empty();
    if (interrupted) {
      interrupted = false;
      Thread.interrupted();
    }
  }

  /** What a failure comes from: that the harness is gone, or what the harness has said. */
  Exception causeOf(Exception failure) throws InterruptedException {
    Exception cause = HarnessFailures.causeOf(failure);
    if (HarnessFailures.isOfUserCode(cause)) {
      return cause;
    }
    return harness.failureSoon().map(Exception.class::cast).orElse(cause);
  }

  @Override
  public void close() {
    harness.unwatch(watcher);
  }
}
