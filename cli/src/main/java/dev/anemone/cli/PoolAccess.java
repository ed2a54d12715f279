// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that servers and clients of a pool have in common. */
final class PoolAccess {

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "A file with the secret that servers and clients share. Without it everybody "
              + "can use the pool, so that it listens on this machine alone.")
  private Path tokenFile;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description = "tcp or ucx (default: the best that works here).")
  private String transport;

  boolean hasToken() {
    return tokenFile != null;
  }

  /** The token of the file, or the one that everybody has. */
  AccessToken token() throws IOException {
    return tokenFile == null ? AccessToken.open() : AccessToken.read(tokenFile);
  }

  /** The transport that was asked for, or the best that works. */
  Transport open() throws IOException {
    Transports transports = Transports.found();
    return transport == null ? transports.open() : transports.open(transport);
  }
}
