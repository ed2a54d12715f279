// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.protocol.NameEntry;
import dev.anemone.rdma.pool.protocol.StoredObject;
import java.util.Optional;

/** Counts what a server did as the one that answers for names. Thread-safe. */
final class NameCounts {

  private long committedObjects;
  private long committedBytes;
  private long lookups;
  private long foundObjects;
  private long foundBytes;

  /** An object is visible that was not. */
  synchronized void committed(StoredObject object) {
    committedObjects++;
    committedBytes += object.length();
  }

  /**
   * A client has asked for a path.
   *
   * @param entry what it stands for; empty when it stands for nothing
   */
  synchronized void lookedUp(Optional<NameEntry> entry) {
    lookups++;
    if (entry.orElse(null) instanceof NameEntry.OfObject found) {
      foundObjects++;
      foundBytes += found.object().length();
    }
  }

  synchronized ServerStatus.Commits commits() {
    return new ServerStatus.Commits(committedObjects, committedBytes);
  }

  synchronized ServerStatus.Lookups lookups() {
    return new ServerStatus.Lookups(lookups, foundObjects, foundBytes);
  }
}
