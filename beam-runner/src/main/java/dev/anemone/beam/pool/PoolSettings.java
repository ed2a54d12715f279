// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.pool;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.options.OptionCheck;
import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.runtime.tez.pool.ClusterPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How pools are found whose files a pipeline names, as its options say. What is wrong with them is
 * said when a file of a pool is used.
 *
 * @param pool {@code --memoryPool}
 * @param tokenFile with the secret of pools
 * @param transport its name; empty for the best that works
 * @param keepSeconds how long a file stays that nobody deletes; 0 for ever
 */
record PoolSettings(
    Optional<String> pool,
    Optional<String> tokenFile,
    Optional<String> transport,
    int keepSeconds) {

  static PoolSettings of(NemoPipelineOptions options) {
    return new PoolSettings(
        Optional.ofNullable(options.getMemoryPool()),
        Optional.ofNullable(options.getMemoryPoolTokenFile()),
        Optional.ofNullable(options.getMemoryPoolTransport()),
        options.getMemoryPoolFileSeconds());
  }

  /**
   * All servers of the pool that a file's name means: those of {@code --memoryPool} when it names
   * none, or some of these.
   *
   * @throws InvalidPipelineException when there are none, or they are no addresses
   */
  List<ServerAddress> servers(PoolResourceId file) {
    Optional<List<ServerAddress>> usual = pool.map(text -> parse("--memoryPool=" + text, text));
    if (file.servers().isEmpty()) {
      return usual.orElseThrow(
          () ->
              new InvalidPipelineException(
                  file
                      + " names no server, and there is no --memoryPool. Write"
                      + " pool://host:7070"
                      + file.path()
                      + ", or give --memoryPool=host:7070."));
    }
    List<ServerAddress> named = parse(file.toString(), file.servers());
    return usual.filter(all -> all.containsAll(named)).orElse(named);
  }

  private static List<ServerAddress> parse(String what, String servers) {
    try {
      return ServerAddress.parseList(servers);
    } catch (IllegalArgumentException e) {
      throw new InvalidPipelineException(
          what
              + ": "
              + e.getMessage()
              + " Name all servers of the pool, such as host1:7070,host2:7070.",
          e);
    }
  }

  /**
   * The secret: in a container that of the application, else that of the file.
   *
   * @throws IOException when the file cannot be read
   */
  AccessToken token() throws IOException {
    Optional<AccessToken> applications = ClusterPool.tokenOfThisProcess();
    if (applications.isPresent() || tokenFile.isEmpty()) {
      return applications.orElseGet(AccessToken::open);
    }
    Path file = OptionCheck.path("memoryPoolTokenFile", tokenFile.get());
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new IOException(
          "--memoryPoolTokenFile="
              + file
              + " is not a file that this user can read here. Name the file with the secret of the"
              + " pool; for jobs on a cluster give --memoryPool, too, and the secret goes with them.");
    }
    return AccessToken.read(file);
  }

  /** How long a file stays; zero for ever. */
  Duration keep() {
    return Duration.ofSeconds(
        OptionCheck.atLeast(
            0, "memoryPoolFileSeconds", keepSeconds, "seconds for which files in a pool stay"));
  }
}
