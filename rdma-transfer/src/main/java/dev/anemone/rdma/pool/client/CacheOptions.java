// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.transport.Transport;
import java.time.Duration;

/**
 * What a client keeps of objects that it has read.
 *
 * @param metadataBytes bytes that remembered objects' names and page lists may take, about; 0
 *     remembers none
 * @param pageBytes bytes that copies of pages may take, in registered memory, 2 GB at most; 0 keeps
 *     none
 * @param idle how long a copy stays that nobody reads; when the last one has gone, their memory is
 *     given back until there is a copy again. Zero for as long as there is room
 */
public record CacheOptions(long metadataBytes, long pageBytes, Duration idle) {

  /** Names alone, 16 MB of them. */
  public static final CacheOptions NAMES = new CacheOptions(16 << 20, 0, Duration.ZERO);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException with a sentence that says what would be right
   */
  public CacheOptions {
    if (metadataBytes < 0 || pageBytes < 0 || idle.isNegative()) {
      throw new IllegalArgumentException("The bytes and times of a cache must not be negative.");
    }
    if (pageBytes > Transport.MAX_ALLOCATION_BYTES) {
      throw new IllegalArgumentException(
          "Copies of pages of the pool can take "
              + Transport.MAX_ALLOCATION_BYTES
              + " bytes, not "
              + pageBytes
              + ".");
    }
  }

  /** With copies of pages. */
  public CacheOptions withPages(long bytes, Duration idleFor) {
    return new CacheOptions(metadataBytes, bytes, idleFor);
  }
}
