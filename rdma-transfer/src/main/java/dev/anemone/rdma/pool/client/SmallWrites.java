// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Writes small objects by one message, to the server that has their name: a page, its bytes and the
 * name are one question there, and five otherwise. Thread-safe.
 *
 * @param mostBytes that a small object has; no more than a page
 */
record SmallWrites(Names names, Placement placement, int mostBytes) {

  /**
   * Writes an object and makes it visible, unless the server of its name has no room in the tier
   * that is filled now, or reads and writes that tier by messages anyway.
   *
   * @param object without pages
   * @param bytes all that it has, at least one
   * @return the object as it is visible; empty when nothing was done
   * @throws java.nio.file.FileAlreadyExistsException when something has its path
   */
  Optional<StoredObject> tryWrite(StoredObject object, ObjectSettings settings, ByteBuffer bytes)
      throws IOException {
    int server = names.primary(PoolPath.of(object.path()).parent());
    Optional<TierKind> tier =
        placement.filled(settings.tier(), server).filter(kind -> kind != TierKind.FILE);
    if (tier.isEmpty()) {
      return Optional.empty();
    }
    try {
      StoredObject stored =
          names.store(
              new Request.Store(
                  object, settings.keep().toMillis(), settings.tier(), tier.get(), bytes));
      placement.taken(server, tier.get());
      return Optional.of(stored);
    } catch (RefusedException e) {
      if (e.reason() != Refusal.FULL) {
        throw e;
      }
      placement.full(server, tier.get());
      return Optional.empty();
    }
  }
}
