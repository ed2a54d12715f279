// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.PoolFullException;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.ServerUnavailableException;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Deals new pages out over the servers, in turn and in proportion to the room that each has: smooth
 * weighted round robin, the free pages being the weights. Thread-safe.
 */
final class Placement {

  private static final Request ALLOCATE = new Request.Allocate();

  private final long[] free;
  private final long[] credit;

  /** Nothing is known of any server. */
  Placement(int servers) {
    this.free = new long[servers];
    this.credit = new long[servers];
  }

  /**
   * A page that a client writes.
   *
   * @param server the connection that it was allocated on
   */
  record NewPage(RemoteServer server, Reply.Allocated allocated) {}

  /** A page that is being asked for. */
  record Asked(RemoteServer server, CompletableFuture<Reply> answer) {}

  /** A server says how many pages it has free. */
  synchronized void free(int server, long pages) {
    free[server] = pages;
  }

  /** The server whose turn it is, or -1 when all are full as far as is known. */
  synchronized int next() {
    int best = -1;
    long total = 0;
    for (int i = 0; i < free.length; i++) {
      if (free[i] > 0) {
        credit[i] += free[i];
        total += free[i];
        if (best < 0 || credit[i] > credit[best]) {
          best = i;
        }
      }
    }
    if (best >= 0) {
      credit[best] -= total;
      free[best]--;
    }
    return best;
  }

  /** Begins to ask the next server for a page; null when none has room as far as is known. */
  Asked ask(ServerConnections connections) throws IOException {
    for (int server = next(); server >= 0; server = next()) {
      try {
        RemoteServer remote = connections.require(server);
        return new Asked(remote, remote.caller().start(ALLOCATE));
      } catch (ServerUnavailableException e) {
        free(server, 0);
      }
    }
    return null;
  }

  /**
   * The page that was asked for, or one of another server when that one has none.
   *
   * @param asked null when nobody was asked
   * @param statuses asks all servers that are there how full they are
   * @throws PoolFullException when no server has one
   */
  NewPage take(Asked asked, ServerConnections connections, Supplier<List<ServerStatus>> statuses)
      throws IOException {
    Asked next = asked;
    boolean known = false;
    while (true) {
      while (next != null) {
        try {
          Reply.Allocated allocated =
              next.server().caller().await(next.answer(), Reply.Allocated.class);
          return new NewPage(next.server(), allocated);
        } catch (ServerUnavailableException e) {
          free(next.server().number(), 0);
        } catch (RefusedException e) {
          if (e.reason() != Refusal.FULL) {
            throw e;
          }
          free(next.server().number(), 0);
        }
        next = ask(connections);
      }
      List<ServerStatus> all = statuses.get();
      if (known || all.stream().allMatch(status -> status.usedBytes() == status.capacityBytes())) {
        throw new PoolFullException(full(all));
      }
      known = true;
      next = ask(connections);
    }
  }

  private static String full(List<ServerStatus> all) {
    return "The pool is full: "
        + all.stream()
            .map(
                status ->
                    status.server()
                        + " uses "
                        + status.usedBytes()
                        + " of "
                        + status.capacityBytes()
                        + " bytes")
            .collect(Collectors.joining(", ", "", ". "))
        + "Delete objects, or start servers with more.";
  }
}
