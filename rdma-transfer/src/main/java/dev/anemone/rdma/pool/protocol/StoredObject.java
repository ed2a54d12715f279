// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.ObjectId;
import java.util.List;

/**
 * A committed object, as the name service has it.
 *
 * @param length bytes
 * @param committedMillis when, since the epoch
 * @param expiresMillis when it is deleted if nobody has done so, since the epoch; 0 for never
 * @param pages all but the last hold the pool's page size
 */
public record StoredObject(
    ObjectId id,
    String path,
    long length,
    long committedMillis,
    long expiresMillis,
    Lifetime lifetime,
    List<PageRef> pages) {

  /** The same with other pages. */
  public StoredObject withPages(List<PageRef> other) {
    return new StoredObject(
        id, path, length, committedMillis, expiresMillis, lifetime, List.copyOf(other));
  }
}
