// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.ObjectAttributes;
import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.protocol.PageRef;
import dev.anemone.rdma.pool.protocol.StoredObject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What readers and writers have in common: the parts of their client. */
record ClientParts(
    ServerConnections connections,
    Names names,
    Placement placement,
    SmallWrites small,
    Buffers buffers,
    PageReads reads,
    Caches caches,
    int pageBytes,
    Duration deadline) {

  /**
   * What a client keeps of objects.
   *
   * @param metadata of objects
   * @param pages of objects; empty when none are kept
   */
  record Caches(MetadataCache metadata, Optional<PageCopies> pages) {

    void remove(Set<ObjectId> objects) {
      metadata.remove(objects);
      pages.ifPresent(cache -> cache.remove(objects));
    }
  }

  /** These objects have been deleted: nothing in a cache is theirs from now on. */
  void forget(Set<ObjectId> objects) {
    caches.remove(objects);
  }

  /**
   * Deletes an object.
   *
   * @throws java.nio.file.NoSuchFileException when there is none
   */
  void delete(PoolPath path) throws IOException {
    List<ObjectId> deleted = names.delete(path);
    caches.metadata().remove(path.value());
    if (deleted.isEmpty()) {
      caches.pages().ifPresent(PageCopies::clear);
    } else {
      forget(Set.copyOf(deleted));
    }
  }

  /** What a user is told of an object. */
  ObjectAttributes attributes(StoredObject object) {
    Set<TierKind> tiers = EnumSet.noneOf(TierKind.class);
    Set<Integer> numbers = new TreeSet<>();
    for (PageRef page : object.pages()) {
      tiers.add(page.tier());
      numbers.add(page.server());
    }
    List<ServerAddress> servers = new ArrayList<>();
    numbers.forEach(number -> servers.add(connections.address(number)));
    return new ObjectAttributes(
        PoolPath.of(object.path()),
        object.id(),
        object.length(),
        Instant.ofEpochMilli(object.committedMillis()),
        object.expiresMillis() == 0
            ? Optional.empty()
            : Optional.of(Instant.ofEpochMilli(object.expiresMillis())),
        object.lifetime(),
        Set.copyOf(tiers),
        List.copyOf(servers));
  }
}
