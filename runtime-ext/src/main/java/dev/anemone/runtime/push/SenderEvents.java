// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * What the threads of the network have told a {@link PushSender}, in its order. Unlike the queues
 * of {@code java.util.concurrent} it makes no object for an event, and never refuses one.
 * Thread-safe; one thread takes events out.
 */
final class SenderEvents {

  private final Queue<SenderEvent> events = new ArrayDeque<>();

  synchronized void add(SenderEvent event) {
    events.add(event);
    notifyAll();
  }

  /** The next event, or null when there is none now. */
  synchronized SenderEvent poll() {
    return events.poll();
  }

  /** The next event; waits for one up to a time, and then returns null. */
  synchronized SenderEvent poll(long nanos) throws InterruptedException {
    long deadline = System.nanoTime() + nanos;
    while (events.isEmpty()) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return null;
      }
      // Rounded up, since a wait of no time is one without end.
      wait(TimeUnit.NANOSECONDS.toMillis(left) + 1);
    }
    return events.poll();
  }
}
