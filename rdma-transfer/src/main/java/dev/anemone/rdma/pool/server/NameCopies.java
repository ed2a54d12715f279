// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.protocol.HashRing;
import dev.anemone.rdma.pool.protocol.NameChange;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** The names of a server on the other servers of their directories. Thread-safe. */
final class NameCopies {

  private final int self;
  private final HashRing ring;
  private final Peers peers;
  private final Namespace names;
  private final AtomicInteger underWay = new AtomicInteger();

  /** Of names, whose lock it takes. */
  NameCopies(int self, HashRing ring, Peers peers, Namespace names) {
    this.self = self;
    this.ring = ring;
    this.peers = peers;
    this.names = names;
  }

  /** Gives a server that has been started its share of the names, and changes from then on. */
  void give(int server, long incarnation) throws IOException {
    underWay.incrementAndGet();
    try {
      copy(peers.connect(server, incarnation), server);
    } finally {
      underWay.decrementAndGet();
    }
  }

  private void copy(PeerConnection connection, int server) throws IOException {
    List<CompletableFuture<Reply>> answers = new ArrayList<>();
    synchronized (names) {
      for (NameChange change :
          names.changes(
              directory ->
                  ring.serversOf(directory).has(server) && ring.serversOf(directory).has(self))) {
        answers.add(connection.enqueue(change));
      }
    }
    connection.drain();
    for (var answer : answers) {
      if (!connection.awaitApplied(answer)) {
        throw new RefusedException(
            Refusal.FAILED, "the names could not be copied to " + connection.caller().server());
      }
    }
  }

  /**
   * Whether no name goes when this server ends: another server has all of each directory, and
   * lives.
   */
  boolean areComplete() {
    synchronized (names) {
      // In this order: a server that is up while none is under way has its copy.
      boolean up =
          names.directories().stream()
              .allMatch(directory -> peers.isUp(ring.serversOf(directory).other(self)));
      return up && underWay.get() == 0;
    }
  }
}
