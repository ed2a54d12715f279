// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.util.List;

/**
 * What a server says of itself.
 *
 * @param server its name
 * @param incarnation another one each time that it is started
 * @param state whether it takes objects
 * @param openBytes in pages that clients are writing
 * @param sealedBytes in pages of committed objects
 * @param withheldBytes in pages that nobody gets before it is certain that their former writers,
 *     whose leases are over, do not write into them any longer
 * @param entries names that it answers for or keeps a copy of, but for directories' own
 * @param clients that are connected
 */
public record ServerStatus(
    String server,
    long incarnation,
    State state,
    List<Tier> tiers,
    long openBytes,
    long sealedBytes,
    long withheldBytes,
    int entries,
    int clients) {

  /** Whether a server takes objects. */
  public enum State {
    /** It does. */
    OPEN,
    /** It takes no more, and ends when it has none and no name that it alone knows. */
    DRAINING
  }

  /**
   * One tier. Bytes are those of whole pages.
   *
   * @param usedBytes in pages that are not free
   */
  public record Tier(TierKind kind, long capacityBytes, long usedBytes) {}

  /** Bytes in pages that are not free. */
  public long usedBytes() {
    return tiers.stream().mapToLong(Tier::usedBytes).sum();
  }

  /** Bytes in all pages. */
  public long capacityBytes() {
    return tiers.stream().mapToLong(Tier::capacityBytes).sum();
  }
}
