// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.PoolFullException;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.ServerUnavailableException;
import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.protocol.FreePages;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Deals new pages out over the servers: of the fastest tier first, on whichever server that is (as
 * Crail does, Stuedi et al., 2017), and within a tier in turn and in proportion to the room that
 * each server has. Thread-safe.
 */
final class Placement {

  private static final List<TierKind> TIERS = List.of(TierKind.values());

  private final Map<TierKind, TurnByRoom> turns = new EnumMap<>(TierKind.class);

  /** Nothing is known of any server. */
  Placement(int servers) {
    TIERS.forEach(tier -> turns.put(tier, new TurnByRoom(servers)));
  }

  /**
   * A page that a client writes.
   *
   * @param server the connection that it was allocated on
   */
  record NewPage(RemoteServer server, Reply.Allocated allocated) {}

  /** A page of a tier that is being asked for. */
  record Asked(RemoteServer server, TierKind tier, CompletableFuture<Reply> answer) {}

  /** A server says how many pages it has free. */
  synchronized void free(int server, FreePages pages) {
    turns.forEach((tier, turn) -> turn.free(server, pages.of(tier)));
  }

  /**
   * The tier that is filled now, if a server has room in it, as far as is known: the fastest in
   * which any server has.
   *
   * @param first the fastest tier that a page may be of
   */
  synchronized Optional<TierKind> filled(TierKind first, int server) {
    return TIERS.subList(TIERS.indexOf(first), TIERS.size()).stream()
        .filter(tier -> turns.get(tier).hasRoom())
        .findFirst()
        .filter(tier -> turns.get(tier).hasRoom(server));
  }

  /** A page was taken from a server out of turn. */
  synchronized void taken(int server, TierKind tier) {
    turns.get(tier).taken(server);
  }

  /** A server has no page of a tier. */
  synchronized void full(int server, TierKind tier) {
    turns.get(tier).free(server, 0);
  }

  /** The server whose turn it is in a tier, or -1 when all are full as far as is known. */
  synchronized int next(TierKind tier) {
    return turns.get(tier).next();
  }

  /**
   * Begins to ask the next server for a page; null when none has room as far as is known.
   *
   * @param first the fastest tier that the page may be of
   */
  Asked ask(TierKind first, ServerConnections connections) throws IOException {
    for (TierKind tier : TIERS.subList(TIERS.indexOf(first), TIERS.size())) {
      for (int server = next(tier); server >= 0; server = next(tier)) {
        try {
          RemoteServer remote = connections.require(server);
          Request.Allocate request = new Request.Allocate(first, tier);
          return new Asked(remote, tier, remote.caller().start(request));
        } catch (ServerUnavailableException e) {
          free(server, FreePages.NONE);
        }
      }
    }
    return null;
  }

  /**
   * The page that was asked for, or one of another server or tier when that one has none.
   *
   * @param first the fastest tier that the page may be of
   * @param asked null when nobody was asked
   * @param statuses asks all servers that are there how full they are
   * @throws PoolFullException when no server has one
   */
  NewPage take(
      TierKind first,
      Asked asked,
      ServerConnections connections,
      Supplier<List<ServerStatus>> statuses)
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
          free(next.server().number(), FreePages.NONE);
        } catch (RefusedException e) {
          if (e.reason() != Refusal.FULL) {
            throw e;
          }
          full(next.server().number(), next.tier());
        }
        next = ask(first, connections);
      }
      List<ServerStatus> all = statuses.get();
      next = known ? null : ask(first, connections);
      if (next == null) {
        throw new PoolFullException(full(first, all));
      }
      known = true;
    }
  }

  private static String full(TierKind first, List<ServerStatus> all) {
    return "The pool is full"
        + (first == TierKind.DRAM ? "" : " from tier " + first + " on")
        + ": "
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
