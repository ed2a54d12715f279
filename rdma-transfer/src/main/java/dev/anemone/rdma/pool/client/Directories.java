// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolEntry;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.protocol.NameEntry;
import dev.anemone.rdma.pool.protocol.StoredObject;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;

/**
 * The pool's directories, as {@link PoolClient} says. Thread-safe.
 *
 * @param owner with whose lease directories go that do not stay
 */
record Directories(ClientParts parts, UUID owner) {

  void create(PoolPath directory, Lifetime lifetime) throws IOException {
    Deque<PoolPath> missing = new ArrayDeque<>();
    for (PoolPath path = directory; !path.isRoot(); path = path.parent()) {
      missing.push(path);
    }
    for (PoolPath path : missing) {
      boolean owned = lifetime == Lifetime.LEASE && path.equals(directory);
      parts.names().createDirectory(path, owned ? List.of(owner) : List.of());
    }
  }

  void remove(PoolPath directory, boolean recursive) throws IOException {
    if (recursive) {
      for (PoolEntry entry : list(directory)) {
        remove(entry);
      }
    }
    parts.names().removeDirectory(directory);
  }

  private void remove(PoolEntry entry) throws IOException {
    try {
      if (entry.directory()) {
        remove(entry.path(), true);
      } else {
        parts.delete(entry.path());
      }
    } catch (NoSuchFileException e) {
      // Somebody else was faster, or its writer's lease is over.
      parts.caches().metadata().remove(entry.path().value());
    }
  }

  List<PoolEntry> list(PoolPath directory) throws IOException {
    List<PoolEntry> entries = new ArrayList<>();
    for (NameEntry entry : parts.names().list(directory)) {
      PoolPath path = PoolPath.of(entry.path());
      if (entry instanceof NameEntry.OfObject named) {
        StoredObject object = named.object();
        Instant committed = Instant.ofEpochMilli(object.committedMillis());
        entries.add(new PoolEntry(path, false, object.length(), committed));
      } else {
        entries.add(new PoolEntry(path, true, 0, Instant.EPOCH));
      }
    }
    return List.copyOf(entries);
  }

  boolean isDirectory(PoolPath path) throws IOException {
    try {
      return path.isRoot()
          || parts
              .names()
              .find(path)
              .filter(entry -> entry instanceof NameEntry.OfDirectory)
              .isPresent();
    } catch (NoSuchFileException e) {
      // Nor is the one that it would lie in.
      return false;
    }
  }
}
