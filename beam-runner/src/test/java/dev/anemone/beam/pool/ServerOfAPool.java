// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.pool;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.testing.LocalPool;
import dev.anemone.rdma.testing.LocalPoolOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;

/** A pool of one server in this JVM, which asks for a secret. */
public final class ServerOfAPool implements AutoCloseable {

  public static final int PAGE_BYTES = 16 << 10;

  private static final String SECRET = "of this test";
  private static final int PAGES = 64;

  private final LocalPool pool;
  private final Path token;

  private ServerOfAPool(LocalPool pool, Path token) {
    this.pool = pool;
    this.token = token;
  }

  /** Starts it; the file with the secret goes into the directory. */
  public static ServerOfAPool start(Path directory) throws IOException {
    Path token = Files.writeString(directory.resolve("token"), SECRET);
    AccessToken secret = AccessToken.of(SECRET);
    List<TierOptions> tiers = List.of(TierOptions.dram((long) PAGES * PAGE_BYTES));
    return new ServerOfAPool(
        LocalPool.start(
            LocalPoolOptions.of(List.of(tiers))
                .withPageBytes(PAGE_BYTES)
                .withTokens(secret, secret)),
        token);
  }

  public ServerAddress address() {
    return pool.addresses().get(0);
  }

  public PoolServer server() {
    return pool.server(0);
  }

  /** What a program is started with that uses it, after arguments of its own. */
  public String[] arguments(String... own) {
    List<String> all = new ArrayList<>(List.of(own));
    all.add("--memoryPool=" + address());
    all.add("--memoryPoolTransport=tcp");
    all.add("--memoryPoolTokenFile=" + token);
    return all.toArray(String[]::new);
  }

  /** The same as options. */
  public PipelineOptions options(String... own) {
    return PipelineOptionsFactory.fromArgs(arguments(own)).create();
  }

  @Override
  public void close() {
    pool.close();
  }
}
