// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command {@code job-server} in a JVM of its own.
 *
 * @param process that runs it
 * @param endpoint where jobs are submitted
 */
record JobServerProcess(Process process, String endpoint) implements AutoCloseable {

  private static final Pattern ENDPOINT = Pattern.compile("anemone: job server (\\S+),.*");
  private static final long START_SECONDS = 60;

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

  /** Starts one that keeps its files below a directory. */
  static JobServerProcess start(int heapMebibytes, Path directory) throws Exception {
    List<String> command = launcher(heapMebibytes);
    command.addAll(List.of("job-server", "--port=0", "--artifactsDir=" + directory));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).directory(directory.toFile()).start();
    CompletableFuture<String> endpoint = new CompletableFuture<>();
    Thread reader = new Thread(() -> read(process, endpoint), "job server output");
    reader.setDaemon(true);
    reader.start();
    return new JobServerProcess(process, endpoint.get(START_SECONDS, TimeUnit.SECONDS));
  }

  private static void read(Process process, CompletableFuture<String> endpoint) {
    try (BufferedReader lines = process.inputReader()) {
      lines
          .lines()
          .forEach(
              line -> {
                System.err.println(line);
                Matcher matcher = ENDPOINT.matcher(line);
                if (matcher.matches()) {
                  endpoint.complete(matcher.group(1));
                }
              });
      endpoint.completeExceptionally(new IOException("it has ended"));
    } catch (IOException | UncheckedIOException e) {
      endpoint.completeExceptionally(e);
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
