// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The operations of a connection that have been called and have not ended: those that wait, in
 * their order, and those that UCX has. On the loop's thread only.
 */
final class Pending {

  private final int limit;
  private final ArrayDeque<Operation> waiting = new ArrayDeque<>();
  private final List<Operation> inFlight;

  /** With room for so many in flight. */
  Pending(int limit) {
    this.limit = limit;
    this.inFlight = new ArrayList<>(limit);
  }

  void add(Operation operation) {
    waiting.add(operation);
  }

  /** The operation that UCX gets next; null when none waits or UCX has as many as it may have. */
  Operation next() {
    return inFlight.size() < limit ? waiting.peek() : null;
  }

  /** UCX gets the next operation. */
  void start() {
    start(waiting.remove());
  }

  /** UCX gets an operation before it has waited; false when it has to wait. */
  boolean startNow(Operation operation) {
    if (!waiting.isEmpty() || inFlight.size() == limit) {
      return false;
    }
    start(operation);
    return true;
  }

  private void start(Operation operation) {
    operation.setPlace(inFlight.size());
    inFlight.add(operation);
  }

  /** UCX has ended an operation. */
  void ended(Operation operation) {
    int place = operation.place();
    Operation last = inFlight.remove(inFlight.size() - 1);
    if (last != operation) {
      last.setPlace(place);
      inFlight.set(place, last);
    }
  }

  /** The one that was called first, or null. */
  Operation oldest() {
    Operation oldest = waiting.peek();
    for (Operation operation : inFlight) {
      if (oldest == null || operation.beganNanos() - oldest.beganNanos() < 0) {
        oldest = operation;
      }
    }
    return oldest;
  }

  /** Whether UCX has none. */
  boolean isNothingInFlight() {
    return inFlight.isEmpty();
  }

  /** Takes out those that wait. */
  void drainWaiting(Consumer<Operation> taker) {
    for (Operation next = waiting.poll(); next != null; next = waiting.poll()) {
      taker.accept(next);
    }
  }

  /** Takes out those that UCX has, when it cannot end them any longer. */
  void drainInFlight(Consumer<Operation> taker) {
    List<Operation> left = List.copyOf(inFlight);
    inFlight.clear();
    left.forEach(taker);
  }
}
