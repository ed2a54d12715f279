// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.portable;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.LeashedProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A server on this machine's loopback address, which ends with this JVM, and so do the processes
 * that it has started.
 */
record ListeningProcess(Process process, int port) implements AutoCloseable {
  private static final Duration TIME_TO_START = Duration.ofMinutes(2);
  private static final Duration TIME_TO_DIE = Duration.ofSeconds(30);
  private static final Duration INTERVAL = Duration.ofMillis(50);
  private static final int LOG_LINES = 15;

  /** A port that nobody listens on. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /**
   * Starts a server and waits until it listens.
   *
   * @param log gets its output
   * @throws ExperimentFailure when it ends before, or takes too long; has the end of its log
   */
  static ListeningProcess start(
      List<String> command, Map<String, String> environment, int port, Path log)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(LeashedProgram.command(command))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    ListeningProcess started = new ListeningProcess(builder.start(), port);
    long end = System.nanoTime() + TIME_TO_START.toNanos();
    while (!started.listens()) {
      if (started.process.waitFor(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)
          || System.nanoTime() - end > 0) {
        started.close();
        throw new ExperimentFailure(
            "It does not listen on its port. The end of its log, %s:%n%s",
            log, MeasuredProcess.lastMessages(log, LOG_LINES));
      }
    }
    return started;
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) INTERVAL.toMillis());
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** As {@code host:port}. */
  String endpoint() {
    return "localhost:" + port;
  }

  /** Ends it and what it has started: closing its input does so. */
  @Override
  public void close() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(TIME_TO_DIE.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
    }
  }
}
