// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.sparkndp;

import dev.anemone.evaluation.lab.simulation.SimulatedTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeMap;

/**
 * The network as the paper has it: the transfers of so many queries share it, the oldest ones, and
 * those of others wait. A query's partitions go in the order in which they come. Not thread-safe.
 */
final class StreamNetwork {

  /** What a query sends in its turn: smaller ones change little, and take longer to simulate. */
  private static final double TURN_BYTES = 16e6;

  private final SimulatedTime time;
  private final double bytesPerSecond;
  private final int limit;

  /** Of each query that has something to send, by age. */
  private final TreeMap<Integer, Deque<Transfer>> queries = new TreeMap<>();

  private int served = -1;
  private boolean isSending;

  private static final class Transfer {
    private final Runnable whenDone;
    private double bytesLeft;

    Transfer(double bytes, Runnable whenDone) {
      this.bytesLeft = bytes;
      this.whenDone = whenDone;
    }
  }

  /**
   * A network.
   *
   * @param limit queries that share it at a time
   */
  StreamNetwork(SimulatedTime time, double bytesPerSecond, int limit) {
    this.time = time;
    this.bytesPerSecond = bytesPerSecond;
    this.limit = limit;
  }

  /**
   * Sends a partition.
   *
   * @param query its number, smaller for older ones
   */
  void send(int query, double bytes, Runnable whenDone) {
    queries.computeIfAbsent(query, k -> new ArrayDeque<>()).add(new Transfer(bytes, whenDone));
    if (!isSending) {
      sendNext();
    }
  }

  private void sendNext() {
    isSending = !queries.isEmpty();
    if (!isSending) {
      return;
    }
    served = next();
    int query = served;
    Transfer transfer = queries.get(query).element();
    double bytes = Math.min(TURN_BYTES, transfer.bytesLeft);
    time.after(
        bytes / bytesPerSecond,
        () -> {
          transfer.bytesLeft -= bytes;
          if (transfer.bytesLeft <= 0) {
            end(query);
            transfer.whenDone.run();
          }
          sendNext();
        });
  }

  private void end(int query) {
    Deque<Transfer> transfers = queries.get(query);
    transfers.remove();
    if (transfers.isEmpty()) {
      queries.remove(query);
    }
  }

  /** The query whose turn it is: the next younger one of those that share, or the oldest. */
  private int next() {
    return queries.keySet().stream()
        .limit(limit)
        .filter(query -> query > served)
        .findFirst()
        .orElseGet(queries::firstKey);
  }
}
