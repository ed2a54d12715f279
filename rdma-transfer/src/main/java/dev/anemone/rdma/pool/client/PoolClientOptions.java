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
 * @param metadataCacheBytes bytes that remembered objects' names and page lists may take, about; 0
 *     remembers none
 * @param pageCopyBytes bytes that copies of pages may take, in registered memory; 0 keeps none
 * @param id who the client is; empty for somebody new
 * @param owner the client with whose lease this one's {@link dev.anemone.rdma.pool.Lifetime#LEASE}
 *     objects end; empty for itself
 */
public record PoolClientOptions(
    List<ServerAddress> servers,
    AccessToken token,
    Duration deadline,
    int buffers,
    long metadataCacheBytes,
    long pageCopyBytes,
    Optional<UUID> id,
    Optional<UUID> owner) {

  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final int BUFFERS = 32;
  private static final long METADATA_BYTES = 16 << 20;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException with a sentence that says what would be right
   */
  public PoolClientOptions {
    servers = ServerAddress.inOrder(servers);
    if (deadline.toMillis() < 1 || buffers < 1) {
      throw new IllegalArgumentException("Give a deadline of 1 ms at least, and a buffer.");
    }
    if (metadataCacheBytes < 0 || pageCopyBytes < 0) {
      throw new IllegalArgumentException("The bytes of a cache must not be negative.");
    }
  }

  /** 10 s, 32 buffers, 16 MB of names, no copies of pages. */
  public static PoolClientOptions of(List<ServerAddress> servers, AccessToken token) {
    return new PoolClientOptions(
        servers, token, DEADLINE, BUFFERS, METADATA_BYTES, 0, Optional.empty(), Optional.empty());
  }

  /** With another deadline. */
  public PoolClientOptions withDeadline(Duration other) {
    return new PoolClientOptions(
        servers, token, other, buffers, metadataCacheBytes, pageCopyBytes, id, owner);
  }

  /** With another number of buffers. */
  public PoolClientOptions withBuffers(int other) {
    return new PoolClientOptions(
        servers, token, deadline, other, metadataCacheBytes, pageCopyBytes, id, owner);
  }

  /** With caches of another size. */
  public PoolClientOptions withCaches(long metadataBytes, long copyBytes) {
    return new PoolClientOptions(
        servers, token, deadline, buffers, metadataBytes, copyBytes, id, owner);
  }

  /** With a given identity, which no other client may have that is connected. */
  public PoolClientOptions withId(UUID other) {
    return new PoolClientOptions(
        servers,
        token,
        deadline,
        buffers,
        metadataCacheBytes,
        pageCopyBytes,
        Optional.of(other),
        owner);
  }

  /**
   * With another client, that has to be connected when an object is committed, as the owner of what
   * this one commits: the objects outlive this client, and go with the other one.
   */
  public PoolClientOptions withOwner(UUID other) {
    return new PoolClientOptions(
        servers,
        token,
        deadline,
        buffers,
        metadataCacheBytes,
        pageCopyBytes,
        id,
        Optional.of(other));
  }
}
