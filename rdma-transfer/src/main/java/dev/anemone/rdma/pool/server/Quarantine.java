// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.protocol.ProcessIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pages of clients whose connection has ended, and who can nevertheless still write: on the same
 * machine they have mapped the pages, and one that was stopped goes on where it was. Nobody gets
 * the pages before the client's process has ended, or the client has come back, which it does only
 * when its old connection is over on its side, too. Thread-safe.
 */
final class Quarantine {

  private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

  private final PageTable pages;
  private final AcceptedConnections connections;
  private final List<AcceptedConnection> suspects = new ArrayList<>();

  /** Of nobody. */
  Quarantine(PageTable pages, AcceptedConnections connections) {
    this.pages = pages;
    this.connections = connections;
  }

  /** The connection of a client has ended, which may still write into the pages that it had. */
  synchronized void add(AcceptedConnection writer) {
    if (writer.process().isGone() || connections.isBack(writer) || !pages.withhold(writer)) {
      pages.releaseAll(writer);
      return;
    }
    LOG.warn(
        "a client that was taken for dead may still write into the pages that it had; nobody gets"
            + " them while its process lives and it does not come back: {}",
        writer.process());
    suspects.add(writer);
  }

  /** A client has come back: its former connections are over on its side. */
  void returned(UUID client, ProcessIdentity process) {
    release(suspect -> suspect.isOf(client, process));
  }

  /** Frees the pages of those whose process has ended. */
  void releaseOfTheDead() {
    release(suspect -> suspect.process().isGone());
  }

  private synchronized void release(Predicate<AcceptedConnection> isOver) {
    for (AcceptedConnection suspect : List.copyOf(suspects)) {
      if (isOver.test(suspect)) {
        suspects.remove(suspect);
        pages.releaseAll(suspect);
      }
    }
  }
}
