// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.protocol.NameEntry;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.StoredObject;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/**
 * Finds objects by their paths, in the client's cache or by a server. Thread-safe.
 *
 * @param keepsNames whether there is a cache, so that its use is told
 */
record Lookups(ClientParts parts, boolean keepsNames) {

  /**
   * What has a path.
   *
   * @throws NoSuchFileException when there is no object of this name
   */
  StoredObject find(PoolPath path, ReadObserver observer) throws IOException {
    Optional<StoredObject> known = known(path, observer);
    if (known.isPresent()) {
      return known.get();
    }
    long removals = parts.caches().metadata().removals();
    return found(path, path.isRoot() ? Optional.empty() : parts.names().find(path), removals);
  }

  /**
   * Opens an object.
   *
   * @param tailBytes how many of its last bytes are asked for with its name; 0 for none
   * @throws NoSuchFileException when there is no object of this name
   */
  ObjectReader open(PoolPath path, ReadObserver observer, int tailBytes) throws IOException {
    if (tailBytes == 0 || parts.caches().pages().isPresent() || path.isRoot()) {
      return new ObjectReader(parts, find(path, observer)).counting(observer);
    }
    Optional<StoredObject> known = known(path, observer);
    if (known.isPresent()) {
      return new ObjectReader(parts, known.get()).counting(observer);
    }
    long removals = parts.caches().metadata().removals();
    Reply.Opened opened = parts.names().open(path, tailBytes);
    observer.transferred(opened.tail().remaining());
    StoredObject object = found(path, opened.entry().stream().findFirst(), removals);
    return new ObjectReader(parts, object, PageReads.checked(object, opened.tail()))
        .counting(observer);
  }

  private Optional<StoredObject> known(PoolPath path, ReadObserver observer) {
    Optional<StoredObject> known = parts.caches().metadata().find(path.value());
    if (keepsNames) {
      observer.name(known.isPresent());
    }
    return known;
  }

  private StoredObject found(PoolPath path, Optional<NameEntry> entry, long removals)
      throws NoSuchFileException {
    if (entry.isPresent() && entry.get() instanceof NameEntry.OfObject named) {
      parts.caches().metadata().put(named.object(), removals);
      return named.object();
    }
    throw new NoSuchFileException(path.value(), null, "the pool has no object of this name");
  }
}
