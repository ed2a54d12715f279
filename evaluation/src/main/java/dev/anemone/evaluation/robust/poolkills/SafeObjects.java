// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.client.PoolClient;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Objects of a client that is not killed, and the servers that hold them. Those that no killed
 * server held must be readable all the time. Not thread-safe.
 */
final class SafeObjects {
  private static final PoolPath DIRECTORY = PoolPath.of("/kept");
  private static final int COUNT = 40;

  private final Map<String, Set<ServerAddress>> holders = new TreeMap<>();
  private final List<String> missing = new ArrayList<>();
  private long read;

  void makeDirectory(PoolClient client) throws IOException {
    client.createDirectory(DIRECTORY);
  }

  /** Writes those that are not there, or that a killed server held. */
  void write(PoolClient client) throws IOException {
    for (int i = 0; i < COUNT; i++) {
      PoolPath path = DIRECTORY.child(Integer.toString(i));
      if (!holders.containsKey(path.value())) {
        try {
          client.delete(path);
        } catch (NoSuchFileException e) {
          // Not written before.
        }
        new TestObject(path).write(client, Lifetime.POOL, true);
        holders.put(path.value(), new HashSet<>(client.getAttributes(path).servers()));
      }
    }
  }

  /** A server is dead: nothing is promised of what it held. */
  void forget(ServerAddress server) {
    holders.values().removeIf(servers -> servers.contains(server));
  }

  /** Reads all that are promised. */
  void verify(PoolClient client) {
    for (String path : holders.keySet()) {
      try {
        if (new TestObject(PoolPath.of(path)).isRight(client, 0)) {
          read++;
        } else {
          missing.add("wrong bytes in " + path);
        }
      } catch (IOException e) {
        missing.add(path + " cannot be read: " + e);
      }
    }
  }

  /** Reads that were right. */
  long read() {
    return read;
  }

  /** What was not as promised. */
  List<String> missing() {
    return List.copyOf(missing);
  }
}
