// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.protocol.HashRing;
import dev.anemone.rdma.pool.protocol.NameChange;
import dev.anemone.rdma.pool.protocol.NameEntry;
import dev.anemone.rdma.pool.protocol.Reply;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Makes changes of names here and on the replica, and lets clients' caches know. Not thread-safe
 * but for {@link #finish}: its caller has the lock of the names.
 */
final class NameChanges {

  private final int self;
  private final HashRing ring;
  private final Peers peers;
  private final Namespace names;
  private final RemovalLog removals;

  NameChanges(int self, HashRing ring, Peers peers, Namespace names, RemovalLog removals) {
    this.self = self;
    this.ring = ring;
    this.peers = peers;
    this.names = names;
    this.removals = removals;
  }

  /** A change on its way to the replica. */
  record Replication(PeerConnection connection, CompletableFuture<Reply> answer) {}

  /** Makes a change here, and gives it its place on the replica's way. */
  Optional<Replication> make(PoolPath directory, NameChange change) {
    apply(change);
    int other = ring.serversOf(directory).other(self);
    return peers
        .find(other)
        .map(connection -> new Replication(connection, connection.enqueue(change)));
  }

  /** Makes a change here alone. */
  void apply(NameChange change) {
    if (change instanceof NameChange.Remove remove
        && names.find(PoolPath.of(remove.path())).orElse(null)
            instanceof NameEntry.OfObject removed) {
      removals.add(removed.object().id());
    }
    names.apply(change);
  }

  /** Waits until the replica has made a change; not to be called with the lock of the names. */
  static void finish(Optional<Replication> replication) {
    replication.ifPresent(
        sent -> {
          sent.connection().drain();
          sent.connection().awaitApplied(sent.answer());
        });
  }
}
