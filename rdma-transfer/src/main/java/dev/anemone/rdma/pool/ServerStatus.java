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
 * @param counters what has been counted since it was started
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
    int clients,
    Counters counters) {

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
   * @param servedBytes in pages, free or not, that clients cannot reach one-sidedly: they read and
   *     write them by messages, and the server copies. All of a file, and memory that the network
   *     did not register
   */
  public record Tier(TierKind kind, long capacityBytes, long usedBytes, long servedBytes) {}

  /**
   * What a server has counted since it was started. Clients read and write its memory one-sidedly,
   * so how many bytes they have read is not among it.
   */
  public record Counters(Commits commits, Lookups lookups, Pages pages) {}

  /**
   * Objects that it has made visible, as the server that answers for their names; a commit that is
   * repeated counts once.
   *
   * @param bytes of these objects, on whichever servers they lie
   */
  public record Commits(long objects, long bytes) {}

  /**
   * What clients have asked it of names that it answers for. Clients that remember names do not
   * ask, and one that begins an object asks whether its name is taken.
   *
   * @param answered questions what a path in a directory that is there stands for
   * @param objects how many of these found an object
   * @param bytes of the objects that were found
   */
  public record Lookups(long answered, long objects, long bytes) {}

  /**
   * Its pages. Bytes are those of whole pages.
   *
   * @param sealedBytes that became an object's
   * @param freedBytes that were an object's and became free: it was deleted or replaced, its lease
   *     or time was over, or its commit failed in the end
   * @param refused pages that were asked for and not given, since there was no room; clients do not
   *     ask servers of which they know that they are full
   */
  public record Pages(long sealedBytes, long freedBytes, long refused) {}

  /** Bytes in pages that are not free. */
  public long usedBytes() {
    return tiers.stream().mapToLong(Tier::usedBytes).sum();
  }

  /** Bytes in all pages. */
  public long capacityBytes() {
    return tiers.stream().mapToLong(Tier::capacityBytes).sum();
  }
}
