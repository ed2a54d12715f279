// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which servers have the names in a directory: consistent hashing (Karger et al., 1997), each
 * server at many points of the ring. A directory belongs to the server at the first point behind
 * its hash, and is copied to the next other server. Servers have the numbers of the pool's order.
 * Immutable.
 */
public final class HashRing {

  private static final int POINTS = 128;
  private static final int NONE = -1;

  private final List<ServerAddress> servers;
  private final TreeMap<Long, Integer> points = new TreeMap<>();

  /**
   * The two servers of a directory.
   *
   * @param primary answers while it lives
   * @param replica answers when the primary does not live; -1 in a pool of one
   */
  public record Pair(int primary, int replica) {

    /** Whether it is one of the two. */
    public boolean has(int server) {
      return server == primary || server == replica;
    }

    /** The one that this is not. */
    public int other(int server) {
      return server == primary ? replica : primary;
    }
  }

  /** The ring of a pool whose servers are in {@linkplain ServerAddress#inOrder order}. */
  public HashRing(List<ServerAddress> servers) {
    this.servers = List.copyOf(servers);
    for (int server = 0; server < servers.size(); server++) {
      for (int i = 0; i < POINTS; i++) {
        points.put(hash(servers.get(server) + "#" + i), server);
      }
    }
  }

  /** The pool's servers, in order. */
  public List<ServerAddress> servers() {
    return servers;
  }

  /** Who has the names in this directory. */
  public Pair serversOf(PoolPath directory) {
    long hash = hash(directory.value());
    int primary = NONE;
    for (Map<Long, Integer> arc : List.of(points.tailMap(hash), points.headMap(hash))) {
      for (int server : arc.values()) {
        if (primary == NONE) {
          primary = server;
        } else if (server != primary) {
          return new Pair(primary, server);
        }
      }
    }
    return new Pair(primary, NONE);
  }

  /** FNV-1a, and then the mixing of SplitMix64, since FNV's high bits know little of the end. */
  private static long hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    return hash ^ (hash >>> 31);
  }
}
