// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.testing;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.testing.LocalPool;
import dev.anemone.rdma.testing.LocalPoolOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Pool servers in this JVM, over tcp. */
public final class TestMemoryPool implements AutoCloseable {

  public static final int PAGE_BYTES = 64 << 10;

  /** What clients must know. */
  public static final String SECRET = "of a test";

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final LocalPool pool;

  private TestMemoryPool(LocalPool pool) {
    this.pool = pool;
  }

  /** Starts servers with memory for so many pages each. */
  public static TestMemoryPool ofServers(int servers, int pages) {
    AccessToken token = AccessToken.of(SECRET);
    try {
      return new TestMemoryPool(
          LocalPool.start(
              LocalPoolOptions.of(servers, pages)
                  .withPageBytes(PAGE_BYTES)
                  .withTokens(token, token)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a server that is not there, empty. */
  public void start(int number) throws IOException {
    pool.start(number);
  }

  public List<ServerAddress> addresses() {
    return pool.addresses();
  }

  /** A client, which is closed with the pool, or before it. */
  public PoolClient client() {
    try {
      return pool.client();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Bytes of the pages that are taken on all servers. */
  public long usedBytes() {
    return pool.usedBytes();
  }

  /**
   * Waits until so many bytes are taken.
   *
   * @throws AssertionError when that takes too long
   */
  public void awaitUsedBytes(long bytes) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (usedBytes() != bytes) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(usedBytes() + " bytes are taken, not " + bytes);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Ends a server, with all that it holds. */
  public void stop(int number) {
    pool.stop(number);
  }

  @Override
  public void close() {
    pool.close();
  }
}
