// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import dev.anemone.runtime.transfer.announcement.BlockLocation;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Asks whether it is this node that is cut off, before others are blamed: when no node has answered
 * since the trouble began, none that answered before can be reached, and two at least are silent.
 * Of one silent node nobody can tell. Used by the task's thread.
 */
final class SelfDoubt {

  private final HostLedger hosts;
  private final Predicate<BlockLocation> reachable;
  private final boolean lastAttempt;

  /** When the last attempt blamed others all the same. */
  private OptionalLong desperateNanos = OptionalLong.empty();

  /**
   * A judge of one attempt.
   *
   * @param reachable whether a node can be reached now
   * @param lastAttempt whether the job fails when this attempt does. It has nothing to lose by
   *     blaming those that it knows of, once: they may all be down
   */
  SelfDoubt(HostLedger hosts, Predicate<BlockLocation> reachable, boolean lastAttempt) {
    this.hosts = hosts;
    this.reachable = reachable;
    this.lastAttempt = lastAttempt;
  }

  /**
   * Returns when others may be blamed.
   *
   * @param sinceNanos when the trouble began
   * @param announcedNanos when the block was announced that cannot be had
   * @param failure the last one
   * @throws ConsumerFaultException when this node is cut off
   */
  void check(long sinceNanos, long announcedNanos, HostFailureException failure)
      throws ConsumerFaultException {
    if (hosts.answeredSince(sinceNanos) || anyReachable() || hosts.silent() < 2) {
      return;
    }
    if (lastAttempt && desperateNanos.isEmpty()) {
      desperateNanos = OptionalLong.of(System.nanoTime());
    }
    if (desperateNanos.isPresent() && announcedNanos - desperateNanos.getAsLong() <= 0) {
      return;
    }
    throw new ConsumerFaultException(
        "this node seems to be cut off, since none of "
            + hosts.silent()
            + " nodes can be reached from here; of the last one: "
            + failure.getMessage(),
        failure);
  }

  private boolean anyReachable() {
    for (BlockLocation location : hosts.well()) {
      long began = System.nanoTime();
      if (reachable.test(location)) {
        hosts.answered(location);
        return true;
      }
      hosts.failed(location, began, false);
    }
    return false;
  }
}
