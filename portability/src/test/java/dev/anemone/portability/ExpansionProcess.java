// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import dev.anemone.testing.PythonWithBeam;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The expansion service {@code python/tests/expansion_server.py}, which also runs the functions of
 * its transforms.
 *
 * @param process that runs it
 * @param endpoint where transforms are expanded
 */
record ExpansionProcess(Process process, String endpoint) implements AutoCloseable {

  private static final Path SERVER =
      Path.of("..", "python", "tests", "expansion_server.py").toAbsolutePath().normalize();
  private static final String LISTENS = "Listening for expansion requests";
  private static final long START_SECONDS = 120;

  /** Starts one, and waits until it listens. */
  static ExpansionProcess start(PythonWithBeam python) throws Exception {
    int port = freePort();
    Process process =
        new ProcessBuilder(
                python.interpreter().toString(),
                SERVER.toString(),
                "--port=" + port,
                "--serve_loopback_worker")
            .redirectErrorStream(true)
            .start();
    CompletableFuture<Void> listens = new CompletableFuture<>();
    Thread reader = new Thread(() -> read(process, listens), "expansion service output");
    reader.setDaemon(true);
    reader.start();
    ExpansionProcess server = new ExpansionProcess(process, "localhost:" + port);
    try {
      listens.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      server.close();
      throw e;
    }
    return server;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void read(Process process, CompletableFuture<Void> listens) {
    try (BufferedReader lines = process.inputReader()) {
      lines
          .lines()
          .forEach(
              line -> {
                System.err.println(line);
                if (line.contains(LISTENS)) {
                  listens.complete(null);
                }
              });
      listens.completeExceptionally(new IOException("the expansion service has ended"));
    } catch (IOException | UncheckedIOException e) {
      listens.completeExceptionally(e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(START_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
