// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.protocol.PageRef;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.Request.Named;
import dev.anemone.rdma.pool.protocol.Request.PageId;
import dev.anemone.rdma.pool.protocol.StoredObject;
import dev.anemone.rdma.pool.server.kept.KeptObjects;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** Hands the pages of an object over and frees them, wherever they lie. Thread-safe. */
final class PageOwners {

  private final int self;
  private final long incarnation;
  private final PageTable table;
  private final Peers peers;
  private final KeptObjects kept;
  private final Runnable onDoubt;

  /**
   * For one server.
   *
   * @param onDoubt called when a server could not be told that pages are free; must not wait
   */
  PageOwners(
      int self,
      long incarnation,
      PageTable table,
      Peers peers,
      KeptObjects kept,
      Runnable onDoubt) {
    this.self = self;
    this.incarnation = incarnation;
    this.table = table;
    this.peers = peers;
    this.kept = kept;
    this.onDoubt = onDoubt;
  }

  private record Holder(int server, long incarnation) {}

  private record Asked(PeerConnection connection, CompletableFuture<Reply> answer) {}

  /**
   * Hands all pages from their writer to the object, and makes it outlive the server where it can.
   *
   * @throws IOException when one server is not there or refused; others may have done it
   */
  void seal(StoredObject object) throws IOException {
    Map<Holder, List<PageId>> holders = new LinkedHashMap<>();
    for (PageRef page : object.pages()) {
      holders
          .computeIfAbsent(
              new Holder(page.server(), page.incarnation()), ignored -> new ArrayList<>())
          .add(new PageId(page.number(), page.generation()));
    }
    List<Asked> asked = new ArrayList<>();
    for (Map.Entry<Holder, List<PageId>> holder : holders.entrySet()) {
      Request.Seal seal =
          new Request.Seal(
              object.id(), object.path(), holder.getKey().incarnation(), holder.getValue());
      if (holder.getKey().server() == self) {
        seal(seal);
      } else {
        PeerConnection connection = peers.connection(holder.getKey().server());
        asked.add(new Asked(connection, connection.caller().start(seal)));
      }
    }
    for (Asked one : asked) {
      one.connection().caller().await(one.answer(), Reply.Done.class);
    }
    kept.put(object);
  }

  /**
   * Hands over pages of this server.
   *
   * @throws RefusedException when they are not the writer's any longer
   */
  void seal(Request.Seal seal) throws RefusedException {
    if (seal.incarnation() != incarnation) {
      throw new RefusedException(
          Refusal.FAILED, "the server was started again since the pages were written");
    }
    table.seal(new Named(seal.id(), seal.path()), seal.pages());
  }

  /** Frees all pages of an object. A server that is down has nothing to free. */
  void free(StoredObject object) {
    kept.remove(object.id());
    TreeSet<Integer> servers = new TreeSet<>();
    object.pages().forEach(page -> servers.add(page.server()));
    List<Asked> asked = new ArrayList<>();
    for (int server : servers) {
      if (server == self) {
        table.free(object.id());
      } else if (peers.isUp(server)) {
        try {
          PeerConnection connection = peers.connection(server);
          asked.add(
              new Asked(connection, connection.caller().start(new Request.Free(object.id()))));
        } catch (IOException e) {
          onDoubt.run();
        }
      }
    }
    for (Asked one : asked) {
      try {
        one.connection().caller().await(one.answer(), Reply.Done.class);
      } catch (IOException e) {
        // Its connection has ended, so that it asks by itself which of its objects are there.
        onDoubt.run();
      }
    }
  }
}
