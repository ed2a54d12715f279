// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.protocol.FreePages;
import dev.anemone.rdma.pool.protocol.Reply;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The objects that were removed last, with numbers, so that clients can be told which ones since
 * they asked last, and drop them from their caches. Thread-safe.
 */
final class RemovalLog {

  private static final int MAX_REMEMBERED = 1_024;

  private final Deque<ObjectId> last = new ArrayDeque<>();
  private long count;

  /** An object was removed. */
  synchronized void add(ObjectId id) {
    last.addLast(id);
    count++;
    if (last.size() > MAX_REMEMBERED) {
      last.removeFirst();
    }
  }

  /** Number of the last removal. */
  synchronized long count() {
    return count;
  }

  /**
   * What was removed.
   *
   * @param known number of the last removal that the client knows
   */
  synchronized Reply.Renewed since(long known, FreePages freePages) {
    long missed = count - known;
    if (missed < 0 || missed > last.size()) {
      return new Reply.Renewed(freePages, count, 0, List.of());
    }
    List<ObjectId> removed = last.stream().skip(last.size() - missed).toList();
    return new Reply.Renewed(freePages, count, 1, removed);
  }
}
