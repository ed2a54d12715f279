// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import dev.anemone.rdma.pool.AccessToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Who may end the servers of a pool. */
final class PoolOperator {

  @Option(
      names = "--operator-token-file",
      paramLabel = "FILE",
      description =
          "A file with the secret of those who may end servers with 'anemone pool stop'. "
              + "A server with a --token-file and without this one is ended by its process "
              + "alone.")
  private Path file;

  /** The token that a server wants before it ends; empty when none will do. */
  Optional<AccessToken> tokenOfServer(PoolAccess access) throws IOException {
    if (file != null) {
      return Optional.of(AccessToken.read(file));
    }
    // Who may use everything in a pool without a secret may end it, too.
    return access.hasToken() ? Optional.empty() : Optional.of(AccessToken.open());
  }

  /** The token that somebody gives who ends servers. */
  AccessToken tokenOfOperator(PoolAccess access) throws IOException {
    return tokenOfServer(access)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Who may use a pool may not end it. Give the --operator-token-file with which"
                        + " its servers were started."));
  }
}
