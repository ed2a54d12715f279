// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * How a client uses a pool.
 *
 * @param servers all servers of the pool, whether they live or not
 * @param deadline of each call and of each transfer of a page
 * @param buffers registered buffers of a page each, for what is not in registered memory itself;
 *     each writer holds one at least
 * @param smallBytes objects of so many bytes at most, and no more than a page, are written by one
 *     message; and so many of an object's last bytes come with its name when all of it is wanted
 *     ({@link PoolClient#get}). 0 for none
 * @param caches what it keeps of objects
 * @param id who the client is; empty for somebody new
 * @param owner the client with whose lease this one's {@link dev.anemone.rdma.pool.Lifetime#LEASE}
 *     objects end; empty for itself
 */
public record PoolClientOptions(
    List<ServerAddress> servers,
    AccessToken token,
    Duration deadline,
    int buffers,
    int smallBytes,
    CacheOptions caches,
    Optional<UUID> id,
    Optional<UUID> owner) {

  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final int BUFFERS = 32;

  /** What one message of each transport holds. */
  private static final int SMALL_BYTES = 16 << 10;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException with a sentence that says what would be right
   */
  public PoolClientOptions {
    servers = ServerAddress.inOrder(servers);
    if (deadline.toMillis() < 1 || buffers < 1 || smallBytes < 0) {
      throw new IllegalArgumentException(
          "Give a deadline of 1 ms at least, and a buffer; small objects have no fewer than 0 bytes.");
    }
  }

  /** 10 s, 32 buffers, 16 KB are small, 16 MB of names, no copies of pages. */
  public static PoolClientOptions of(List<ServerAddress> servers, AccessToken token) {
    return new PoolClientOptions(
        servers,
        token,
        DEADLINE,
        BUFFERS,
        SMALL_BYTES,
        CacheOptions.NAMES,
        Optional.empty(),
        Optional.empty());
  }

  /** With another deadline. */
  public PoolClientOptions withDeadline(Duration other) {
    return new PoolClientOptions(servers, token, other, buffers, smallBytes, caches, id, owner);
  }

  /** With another number of buffers. */
  public PoolClientOptions withBuffers(int other) {
    return new PoolClientOptions(servers, token, deadline, other, smallBytes, caches, id, owner);
  }

  /** With another size up to which an object is small, bytes. */
  public PoolClientOptions withSmallBytes(int other) {
    return new PoolClientOptions(servers, token, deadline, buffers, other, caches, id, owner);
  }

  /** With other caches. */
  public PoolClientOptions withCaches(CacheOptions other) {
    return new PoolClientOptions(servers, token, deadline, buffers, smallBytes, other, id, owner);
  }

  /** With a given identity, which no other client may have that is connected. */
  public PoolClientOptions withId(UUID other) {
    return new PoolClientOptions(
        servers, token, deadline, buffers, smallBytes, caches, Optional.of(other), owner);
  }

  /**
   * With another client, that has to be connected when an object is committed, as the owner of what
   * this one commits: the objects outlive this client, and go with the other one.
   */
  public PoolClientOptions withOwner(UUID other) {
    return new PoolClientOptions(
        servers, token, deadline, buffers, smallBytes, caches, id, Optional.of(other));
  }
}
