// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.LeashedProgram;
import dev.anemone.evaluation.lab.remote.LoadProgram.Direction;
import dev.anemone.evaluation.lab.remote.PeerPair.ThroughputSide;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * UCX's own measurement of its puts and gets, {@code ucx_perftest}: a C program, one thread on
 * either side, which polls. It is told how many operations to do, not for how long, so that a first
 * short run says how many the others get. Used by one thread.
 */
final class UcxPerftest {
  private static final Duration DEADLINE = Duration.ofMinutes(1);
  private static final Duration RETRY = Duration.ofMillis(50);
  private static final int ATTEMPTS = 100;
  private static final long TRIAL_BYTES = 8_000_000;
  private static final long LEAST_OPERATIONS = 50;
  private static final long MOST_OPERATIONS = 5_000_000;

  /** Its "MB" are these. */
  private static final double MEBIBYTE = 1 << 20;

  private static final int ITERATIONS_COLUMN = 0;
  private static final int BANDWIDTH_COLUMN = 5;
  private static final int COLUMNS = 8;

  private final Path program;
  private final Path log;
  private final Map<String, Long> operations = new HashMap<>();

  UcxPerftest(Path program, Path log) {
    this.program = program;
    this.log = log;
  }

  static Optional<Path> found() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.of(path.split(File.pathSeparator, -1))
        .map(directory -> Path.of(directory, "ucx_perftest"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Bytes per second; empty when it fails or does not come to an end within a minute. */
  OptionalDouble measure(Direction direction, int bytes, String tls, long millis)
      throws IOException, InterruptedException {
    String key = direction + " " + bytes + " " + tls;
    if (!operations.containsKey(key)) {
      long few = Math.max(LEAST_OPERATIONS, TRIAL_BYTES / bytes);
      OptionalDouble rate = run(direction, bytes, tls, few);
      if (rate.isEmpty()) {
        return rate;
      }
      double wanted = rate.getAsDouble() * millis / 1e3 / bytes;
      operations.put(key, (long) Math.min(MOST_OPERATIONS, Math.max(LEAST_OPERATIONS, wanted)));
    }
    return run(direction, bytes, tls, operations.get(key));
  }

  private OptionalDouble run(Direction direction, int bytes, String tls, long count)
      throws IOException, InterruptedException {
    int port = freePort();
    Process server = start(tls, Arguments.of("-p", port), Path.of("/dev/null"));
    try {
      List<String> client =
          Arguments.of(
              List.of("127.0.0.1", "-f", "-v"),
              List.of("-t", direction == Direction.READ ? "ucp_get" : "ucp_put_bw"),
              List.of("-p", port, "-s", bytes, "-n", count, "-w", LEAST_OPERATIONS));
      for (int attempt = 0; attempt < ATTEMPTS && server.isAlive(); attempt++) {
        Process process = start(tls, client, log);
        boolean ended = process.waitFor(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        process.destroyForcibly();
        if (!ended) {
          return OptionalDouble.empty();
        }
        if (process.exitValue() == 0) {
          return rate(Files.readString(log), count);
        }
        // Most likely the server does not listen yet.
        server.waitFor(RETRY.toMillis(), TimeUnit.MILLISECONDS);
      }
      return OptionalDouble.empty();
    } finally {
      server.destroyForcibly();
    }
  }

  /** The overall rate in its output, which is a line of titles and a line of figures. */
  static OptionalDouble rate(String output, long count) {
    return output
        .lines()
        .map(line -> line.split(",", -1))
        .filter(cells -> cells.length == COLUMNS)
        .filter(cells -> cells[ITERATIONS_COLUMN].strip().equals(Long.toString(count)))
        .mapToDouble(cells -> Double.parseDouble(cells[BANDWIDTH_COLUMN].strip()) * MEBIBYTE)
        .findFirst();
  }

  private Process start(String tls, List<String> arguments, Path output) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(LeashedProgram.command(Arguments.of(program, arguments)))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put(ThroughputSide.UCX_TLS, tls);
    return builder.start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
