// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import dev.anemone.testing.PythonWithBeam;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A server in a process of its own, whose output is that of the tests.
 *
 * @param process that runs it
 * @param endpoint where it listens
 */
record ServerProcess(Process process, String endpoint) implements AutoCloseable {

  private static final Pattern JOB_SERVER = Pattern.compile("anemone: job server (\\S+),.*");
  private static final Path EXPANSION_SERVER =
      Path.of("..", "python", "tests", "expansion_server.py").toAbsolutePath().normalize();
  private static final String EXPANDS = "Listening for expansion requests";
  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration END = Duration.ofMinutes(1);

  /** The part of a command that starts Anemone in a JVM, as this one was started. */
  static List<String> launcher(int heapMebibytes) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heapMebibytes + "m");
    // Small heaps of the default collector have no place for messages of several regions.
    command.add("-XX:+UseSerialGC");
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(command::add);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add("dev.anemone.cli.Anemone");
    return command;
  }

  /** Starts the command {@code job-server}, which keeps its files below a directory. */
  static ServerProcess jobServer(int heapMebibytes, Path directory, String... options)
      throws Exception {
    List<String> command = launcher(heapMebibytes);
    command.addAll(List.of("job-server", "--port=0", "--artifactsDir=" + directory));
    command.addAll(List.of(options));
    return start(
        new ProcessBuilder(command).directory(directory.toFile()),
        line -> JOB_SERVER.matcher(line).results().map(found -> found.group(1)).findFirst(),
        START);
  }

  /**
   * Starts the expansion service {@code python/tests/expansion_server.py}, which also runs the
   * functions of its transforms.
   */
  static ServerProcess expansion(PythonWithBeam python) throws Exception {
    int port = freePort();
    return start(
        new ProcessBuilder(
            python.interpreter().toString(),
            EXPANSION_SERVER.toString(),
            "--port=" + port,
            "--serve_loopback_worker"),
        line -> line.contains(EXPANDS) ? Optional.of("localhost:" + port) : Optional.empty(),
        START);
  }

  /**
   * Starts a server, and waits until it says where it listens.
   *
   * @param endpointIn finds the endpoint in a line of its output
   * @param atMost how long that may take; the process is ended then
   */
  static ServerProcess start(
      ProcessBuilder command, Function<String, Optional<String>> endpointIn, Duration atMost)
      throws Exception {
    Process process = command.redirectErrorStream(true).start();
    CompletableFuture<String> endpoint = new CompletableFuture<>();
    Thread reader =
        new Thread(() -> read(process, endpointIn, endpoint), "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
    try {
      return new ServerProcess(process, endpoint.get(atMost.toMillis(), TimeUnit.MILLISECONDS));
    } catch (Exception e) {
      end(process);
      throw e;
    }
  }

  private static void read(
      Process process,
      Function<String, Optional<String>> endpointIn,
      CompletableFuture<String> endpoint) {
    try (BufferedReader lines = process.inputReader()) {
      lines
          .lines()
          .forEach(
              line -> {
                System.err.println(line);
                endpointIn.apply(line).ifPresent(endpoint::complete);
              });
      endpoint.completeExceptionally(new IOException("the server has ended"));
    } catch (IOException | UncheckedIOException e) {
      endpoint.completeExceptionally(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void end(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }

  @Override
  public void close() throws InterruptedException {
    end(process);
  }
}
