// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.protocol.ChunkRef;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.Request.Chunk;
import dev.anemone.rdma.pool.protocol.Request.Named;
import dev.anemone.rdma.pool.protocol.StoredObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** Hands the chunks of an object over and frees them, wherever they lie. Thread-safe. */
final class ChunkOwners {

  private final int self;
  private final long incarnation;
  private final ChunkStore store;
  private final Peers peers;
  private final Runnable onDoubt;

  /**
   * For one server.
   *
   * @param onDoubt called when a server could not be told that chunks are free; must not wait
   */
  ChunkOwners(int self, long incarnation, ChunkStore store, Peers peers, Runnable onDoubt) {
    this.self = self;
    this.incarnation = incarnation;
    this.store = store;
    this.peers = peers;
    this.onDoubt = onDoubt;
  }

  private record Holder(int server, long incarnation) {}

  private record Asked(PeerLink link, CompletableFuture<Reply> answer) {}

  /**
   * Hands all chunks from their writer to the object.
   *
   * @throws IOException when one server is not there or refused; others may have done it
   */
  void seal(StoredObject object) throws IOException {
    Map<Holder, List<Chunk>> holders = new LinkedHashMap<>();
    for (ChunkRef chunk : object.chunks()) {
      holders
          .computeIfAbsent(
              new Holder(chunk.server(), chunk.incarnation()), ignored -> new ArrayList<>())
          .add(new Chunk(chunk.number(), chunk.generation()));
    }
    List<Asked> asked = new ArrayList<>();
    for (Map.Entry<Holder, List<Chunk>> holder : holders.entrySet()) {
      Request.Seal seal =
          new Request.Seal(
              object.id(), object.path(), holder.getKey().incarnation(), holder.getValue());
      if (holder.getKey().server() == self) {
        seal(seal);
      } else {
        PeerLink link = peers.link(holder.getKey().server());
        asked.add(new Asked(link, link.caller().start(seal)));
      }
    }
    for (Asked one : asked) {
      one.link().caller().await(one.answer(), Reply.Done.class);
    }
  }

  /**
   * Hands over chunks of this server.
   *
   * @throws RefusedException when they are not the writer's any longer
   */
  void seal(Request.Seal seal) throws RefusedException {
    if (seal.incarnation() != incarnation) {
      throw new RefusedException(
          Refusal.FAILED, "the server was started again since the chunks were written");
    }
    store.seal(new Named(seal.id(), seal.path()), seal.chunks());
  }

  /** Frees all chunks of an object. A server that is down has nothing to free. */
  void free(StoredObject object) {
    TreeSet<Integer> servers = new TreeSet<>();
    object.chunks().forEach(chunk -> servers.add(chunk.server()));
    List<Asked> asked = new ArrayList<>();
    for (int server : servers) {
      if (server == self) {
        store.free(object.id());
      } else if (peers.isUp(server)) {
        try {
          PeerLink link = peers.link(server);
          asked.add(new Asked(link, link.caller().start(new Request.Free(object.id()))));
        } catch (IOException e) {
          onDoubt.run();
        }
      }
    }
    for (Asked one : asked) {
      try {
        one.link().caller().await(one.answer(), Reply.Done.class);
      } catch (IOException e) {
        // Its connection has ended, so that it asks by itself which of its objects are there.
        onDoubt.run();
      }
    }
  }
}
