// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A network that all transfers share fairly: they are cut into chunks, and each transfer in turn
 * sends one. Not thread-safe.
 */
final class SharedLink {
  private final SimulatedTime time;
  private final double bytesPerSecond;
  private final double chunkBytes;
  private final Deque<Transfer> turns = new ArrayDeque<>();
  private boolean isSending;
  private double sentBytes;
  private double bytesLeft;

  /**
   * @param bytesPerSecond of all transfers together
   * @param chunkBytes what a transfer sends in its turn
   */
  SharedLink(SimulatedTime time, double bytesPerSecond, double chunkBytes) {
    this.time = time;
    this.bytesPerSecond = bytesPerSecond;
    this.chunkBytes = chunkBytes;
  }

  /** Sends bytes, after a chunk of each transfer that is there. */
  void send(double bytes, Runnable whenDone) {
    turns.add(new Transfer(bytes, whenDone));
    bytesLeft += bytes;
    if (!isSending) {
      sendNext();
    }
  }

  private void sendNext() {
    Transfer transfer = turns.poll();
    isSending = transfer != null;
    if (transfer == null) {
      return;
    }
    double chunk = Math.min(chunkBytes, transfer.bytesLeft());
    time.after(
        chunk / bytesPerSecond,
        () -> {
          sentBytes += chunk;
          bytesLeft -= chunk;
          double left = transfer.bytesLeft() - chunk;
          if (left > 0) {
            turns.add(new Transfer(left, transfer.whenDone()));
          }
          sendNext();
          if (left <= 0) {
            transfer.whenDone().run();
          }
        });
  }

  /** Transfers that are not done. */
  int transfers() {
    return turns.size() + (isSending ? 1 : 0);
  }

  /** Bytes of those that have not arrived. */
  double bytesLeft() {
    // What is added and taken away again need not be nothing to the last digit.
    return Math.max(0, bytesLeft);
  }

  /** Bytes that have arrived. */
  double sentBytes() {
    return sentBytes;
  }

  private record Transfer(double bytesLeft, Runnable whenDone) {}
}
