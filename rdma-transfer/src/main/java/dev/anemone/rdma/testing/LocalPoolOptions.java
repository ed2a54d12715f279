// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.testing;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.TransportProvider;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * How a {@link LocalPool} is to be.
 *
 * @param transport of servers and clients
 * @param tiers of each server
 * @param pageBytes size of a page, a power of two from 4 KB to 64 MB
 * @param lease a client that has not been heard of for so long is dead
 * @param token of clients and servers
 * @param operator of those who may end servers
 */
public record LocalPoolOptions(
    TransportProvider transport,
    List<List<TierOptions>> tiers,
    int pageBytes,
    Duration lease,
    AccessToken token,
    AccessToken operator) {

  private static final int PAGE_BYTES = 64 << 10;
  private static final Duration LEASE = Duration.ofSeconds(5);

  /** Checks the values. */
  public LocalPoolOptions {
    tiers = tiers.stream().map(List::copyOf).toList();
  }

  /** Over tcp, with pages of 64 KB and leases of 5 s; so many pages of DRAM on each server. */
  public static LocalPoolOptions of(int servers, int pages) {
    return of(Collections.nCopies(servers, List.of(TierOptions.dram((long) pages * PAGE_BYTES))));
  }

  /** The same with a server for each of these lists of tiers. */
  public static LocalPoolOptions of(List<List<TierOptions>> tiers) {
    return new LocalPoolOptions(
        new TcpTransportProvider(),
        tiers,
        PAGE_BYTES,
        LEASE,
        AccessToken.of("of a test"),
        AccessToken.of("of the operator of a test"));
  }

  /** With another transport. */
  public LocalPoolOptions withTransport(TransportProvider other) {
    return new LocalPoolOptions(other, tiers, pageBytes, lease, token, operator);
  }

  /** With pages of another size; tiers keep theirs. */
  public LocalPoolOptions withPageBytes(int other) {
    return new LocalPoolOptions(transport, tiers, other, lease, token, operator);
  }

  /** With another lease. */
  public LocalPoolOptions withLease(Duration other) {
    return new LocalPoolOptions(transport, tiers, pageBytes, other, token, operator);
  }

  /** With other secrets. */
  public LocalPoolOptions withTokens(AccessToken clients, AccessToken operators) {
    return new LocalPoolOptions(transport, tiers, pageBytes, lease, clients, operators);
  }
}
