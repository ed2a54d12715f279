// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import dev.anemone.portability.harness.Harness;
import dev.anemone.portability.harness.HarnessGoneException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Ends what a task waits for when its harness goes away. Who sends data waits for room in a stream,
 * and nobody says when that stream has ended: so the thread that sends is interrupted. Used by the
 * task's thread, and told by others.
 */
final class HarnessWatch implements AutoCloseable {

  private final Harness harness;
  private final Runnable ifGone;
  private final Runnable watcher = this::tell;

  /** The task's thread while it sends; whoever takes it out interrupts it. */
  private final AtomicReference<Thread> sender = new AtomicReference<>();

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
    Thread sending = sender.getAndSet(null);
    if (sending != null) {
      sending.interrupt();
    }
    ifGone.run();
  }

  /** The task's thread is about to send. As it does so for each element, nothing is locked. */
  void enter() throws HarnessGoneException {
    sender.set(Thread.currentThread());
    // Only now: a harness that goes away from here on interrupts this thread.
    Optional<HarnessGoneException> failure = harness.failure();
    if (failure.isPresent()) {
      leave();
      throw failure.get();
    }
  }

  /** It has sent, or could not. */
  void leave() {
    if (sender.getAndSet(null) == null) {
      takeInterrupt();
    }
  }

  /** Waits until this thread has been interrupted, which is for what it has done by now. */
  @SuppressWarnings("ResultOfMethodCallIgnored") // the flag is to be cleared
  private synchronized void takeInterrupt() {
    Thread.interrupted();
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
