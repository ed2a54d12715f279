// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.protocol.HashRing;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.Request.Named;
import dev.anemone.rdma.pool.server.PageTable.SealedObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Frees pages of objects that have no name: a server that died between the steps of a commit or a
 * deletion leaves such. After a server has come or gone, each server asks those that answer for the
 * names of the objects whose pages it holds which of them are there. Not thread-safe.
 */
final class Reconciliation {

  private static final int MAX_ASKED = 1_000;

  private final int self;
  private final HashRing ring;
  private final PageTable table;
  private final NameService names;
  private final Peers peers;

  Reconciliation(int self, HashRing ring, PageTable table, NameService names, Peers peers) {
    this.self = self;
    this.ring = ring;
    this.table = table;
    this.names = names;
    this.peers = peers;
  }

  /**
   * Asks, and frees.
   *
   * @return whether somebody answered for every object; otherwise it is to be done again
   */
  boolean run() {
    boolean complete = true;
    Map<Integer, List<SealedObject>> byServer = new HashMap<>();
    for (SealedObject object : table.sealedObjects()) {
      PoolPath directory = PoolPath.of(object.name().path()).parent();
      int server = answering(ring.serversOf(directory));
      if (server < 0) {
        complete = false;
      } else {
        byServer.computeIfAbsent(server, ignored -> new ArrayList<>()).add(object);
      }
    }
    for (Map.Entry<Integer, List<SealedObject>> entry : byServer.entrySet()) {
      List<SealedObject> objects = entry.getValue();
      for (int from = 0; from < objects.size(); from += MAX_ASKED) {
        int to = Math.min(objects.size(), from + MAX_ASKED);
        complete &= check(entry.getKey(), objects.subList(from, to));
      }
    }
    return complete;
  }

  private int answering(HashRing.Pair pair) {
    if (pair.primary() == self || peers.isUp(pair.primary())) {
      return pair.primary();
    }
    boolean replica = pair.replica() == self || (pair.replica() >= 0 && peers.isUp(pair.replica()));
    return replica ? pair.replica() : -1;
  }

  private boolean check(int server, List<SealedObject> objects) {
    List<Named> asked = objects.stream().map(SealedObject::name).toList();
    Set<ObjectId> existing;
    try {
      existing =
          new HashSet<>(
              server == self
                  ? names.existing(asked)
                  : peers
                      .connection(server)
                      .caller()
                      .call(new Request.Exist(asked), Reply.Existing.class)
                      .ids());
    } catch (IOException e) {
      // It has just gone, or does not answer for the names yet: the caller asks again.
      return false;
    }
    for (SealedObject object : objects) {
      if (!existing.contains(object.name().id())) {
        table.freeUnlessSealedAgain(object);
      }
    }
    return true;
  }
}
