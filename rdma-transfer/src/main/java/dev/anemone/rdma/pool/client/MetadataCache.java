// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.protocol.StoredObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Objects by their paths; the one that was not asked for the longest goes first. Objects never
 * change, so what is in it is right until the object is deleted; from the moment when this client
 * has seen that, it is not in it. Thread-safe.
 */
final class MetadataCache {

  private static final int OBJECT_BYTES = 256;
  private static final int PAGE_BYTES = 64;

  private final long maxBytes;
  private final Map<String, StoredObject> objects = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<ObjectId, String> paths = new HashMap<>();
  private long bytes;
  private long removals;

  /** Empty; holds nothing when {@code maxBytes} is 0. */
  MetadataCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** What has this path, if that is known. */
  synchronized Optional<StoredObject> find(String path) {
    return Optional.ofNullable(objects.get(path));
  }

  /** Counts removals; to be asked before a server is, so that its answer is not put in too late. */
  synchronized long removals() {
    return removals;
  }

  /** Puts an object in, unless one was removed since, for it may be that one. */
  synchronized void put(StoredObject object, long removalsBefore) {
    if (removalsBefore != removals || weight(object) > maxBytes) {
      return;
    }
    drop(objects.get(object.path()));
    objects.put(object.path(), object);
    paths.put(object.id(), object.path());
    bytes += weight(object);
    while (bytes > maxBytes) {
      drop(objects.values().iterator().next());
    }
  }

  /** These objects are deleted. */
  synchronized void remove(Iterable<ObjectId> ids) {
    removals++;
    Set<String> gone = new HashSet<>();
    ids.forEach(id -> gone.add(paths.get(id)));
    gone.forEach(path -> drop(objects.get(path)));
  }

  /** What had this path is deleted. */
  synchronized void remove(String path) {
    removals++;
    drop(objects.get(path));
  }

  /** Any object can be deleted. */
  synchronized void clear() {
    removals++;
    objects.clear();
    paths.clear();
    bytes = 0;
  }

  private void drop(StoredObject object) {
    if (object != null) {
      objects.remove(object.path());
      paths.remove(object.id());
      bytes -= weight(object);
    }
  }

  /** About what it takes. */
  private static long weight(StoredObject object) {
    return OBJECT_BYTES + 2L * object.path().length() + (long) PAGE_BYTES * object.pages().size();
  }
}
