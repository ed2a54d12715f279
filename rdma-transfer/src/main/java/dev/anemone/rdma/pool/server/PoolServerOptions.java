// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How a pool server is run. All servers of a pool have the same servers, page size and token.
 *
 * @param self where it listens; one of the servers
 * @param servers all servers of the pool
 * @param tiers of which faster kinds are filled first, and those of one kind in this order
 * @param pageBytes size of a page, a power of two from 4 KB to 64 MB; an object takes whole pages
 * @param lease a client that has not been heard of for so long is dead
 * @param deadline of each thing that one server asks of another
 * @param admission whom it listens to before it knows who they are, and whom it obeys
 * @param absent servers of the pool that are down for certain: it does not ask them for names when
 *     it starts. If one of them lives, what it alone knows of is lost
 */
public record PoolServerOptions(
    ServerAddress self,
    List<ServerAddress> servers,
    List<TierOptions> tiers,
    int pageBytes,
    Duration lease,
    Duration deadline,
    AccessToken token,
    Admission admission,
    Set<ServerAddress> absent) {

  /** 1 MB: what a network moves in a time beside which a message's is short. */
  public static final int DEFAULT_PAGE_BYTES = 1 << 20;

  private static final Pattern NO_FILE_NAME = Pattern.compile("[^A-Za-z0-9.]");
  private static final int MIN_PAGE_BYTES = 4 << 10;
  private static final int MAX_PAGE_BYTES = 64 << 20;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException with a sentence that says what would be right
   */
  public PoolServerOptions {
    servers = ServerAddress.inOrder(servers);
    absent = Set.copyOf(absent);
    tiers = List.copyOf(tiers);
    if (!servers.contains(self)) {
      throw new IllegalArgumentException(
          "The server " + self + " is none of " + servers + ". Name it as the others name it.");
    }
    if (absent.contains(self) || !servers.containsAll(absent)) {
      throw new IllegalArgumentException(
          "The absent servers " + absent + " are not all others of " + servers + ".");
    }
    if (Integer.bitCount(pageBytes) != 1
        || pageBytes < MIN_PAGE_BYTES
        || pageBytes > MAX_PAGE_BYTES) {
      throw new IllegalArgumentException(
          "Pages of " + pageBytes + " bytes: give a power of two from 4 KB to 64 MB.");
    }
    if (tiers.isEmpty()) {
      throw new IllegalArgumentException("A pool server needs a tier of storage.");
    }
    for (TierOptions tier : tiers) {
      if (tier.capacityBytes() < pageBytes) {
        throw new IllegalArgumentException(
            "The tier "
                + tier.kind()
                + " of "
                + tier.capacityBytes()
                + " bytes does not hold a"
                + " page of "
                + pageBytes
                + " bytes.");
      }
    }
    if (servers.size() > 1 && tiers.stream().anyMatch(TierOptions::keep)) {
      throw new IllegalArgumentException(
          "Tiers are kept in pools of one server; this one has "
              + servers
              + ". Leave out --keep, or --servers.");
    }
    if (lease.toMillis() < 1 || deadline.toMillis() < 1) {
      throw new IllegalArgumentException("Lease and deadline must be 1 ms at least.");
    }
  }

  /** With the usual {@link Admission}, and nobody absent. */
  public PoolServerOptions(
      ServerAddress self,
      List<ServerAddress> servers,
      List<TierOptions> tiers,
      int pageBytes,
      Duration lease,
      Duration deadline,
      AccessToken token) {
    this(self, servers, tiers, pageBytes, lease, deadline, token, Admission.usual(), Set.of());
  }

  /** With another admission. */
  public PoolServerOptions withAdmission(Admission other) {
    return new PoolServerOptions(
        self, servers, tiers, pageBytes, lease, deadline, token, other, absent);
  }

  /** With others that are down for certain. */
  public PoolServerOptions withAbsent(Set<ServerAddress> others) {
    return new PoolServerOptions(
        self, servers, tiers, pageBytes, lease, deadline, token, admission, others);
  }

  /** What the names of files begin with in which it keeps its objects. */
  String keptName() {
    return "anemone-pool-" + NO_FILE_NAME.matcher(self.toString()).replaceAll("-");
  }

  /** Number of this server in the pool's order. */
  int number() {
    return servers.indexOf(self);
  }
}
