// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.PoolEntry;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.testing.LocalPool;
import dev.anemone.rdma.testing.LocalPoolOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** A pool of two servers in this JVM, over tcp, that asks for a secret. */
final class PoolServers implements AutoCloseable {
  private static final String SECRET = "of this test";
  private static final int PAGE_BYTES = 16 << 10;
  private static final long PAGES = 1_000;
  private static final int SERVERS = 2;

  /** Where jobs have their directories. */
  private static final PoolPath JOBS = PoolPath.of("/anemone");

  private final Path token;
  private final LocalPool pool;

  /**
   * Starts the servers.
   *
   * @param directory for the file with the secret
   */
  PoolServers(Path directory) throws IOException {
    token = Files.writeString(directory.resolve("token"), SECRET + "\n");
    AccessToken secret = AccessToken.of(SECRET);
    List<TierOptions> tiers = List.of(TierOptions.dram(PAGES * PAGE_BYTES));
    pool =
        LocalPool.start(
            LocalPoolOptions.of(Collections.nCopies(SERVERS, tiers))
                .withPageBytes(PAGE_BYTES)
                .withLease(Duration.ofSeconds(10))
                .withTokens(secret, secret));
  }

  /** Starts a server that is not there, empty. */
  void start(int number) throws IOException {
    pool.start(number);
  }

  /** Ends a server, with all that it holds. */
  void stop(int number) {
    pool.stop(number);
  }

  /** The options with which a job uses the pool. */
  List<String> arguments() {
    return List.of(
        "--memoryPool=" + pool.addresses().get(0) + "," + pool.addresses().get(1),
        "--memoryPoolTransport=tcp",
        "--memoryPoolTokenFile=" + token);
  }

  /** Bytes of the pages that are taken on a server that is there. */
  long usedBytes(int number) {
    return pool.server(number).status().usedBytes();
  }

  /** Bytes of the pages that are taken on all servers that are there. */
  long usedBytes() {
    return pool.usedBytes();
  }

  /** The directories of jobs. */
  List<String> directories() throws IOException {
    try (PoolClient client = pool.client()) {
      return client.list(JOBS).stream().map(PoolEntry::path).map(PoolPath::name).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
