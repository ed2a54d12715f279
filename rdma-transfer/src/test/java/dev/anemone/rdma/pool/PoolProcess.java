// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import dev.anemone.rdma.transport.Await;
import dev.anemone.rdma.transport.Signals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A JVM of its own that can be killed. Its main class prints {@code ready} once. */
final class PoolProcess implements AutoCloseable {

  private final Process process;
  private final Path output;

  private PoolProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** Starts one; does not wait for it. */
  static PoolProcess start(Class<?> main, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:MaxDirectMemorySize=128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                classPath(),
                main.getName()));
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile("anemone-pool-process", ".out");
    return new PoolProcess(
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(output.toFile())
            .start(),
        output);
  }

  private static String classPath() {
    if (PoolProcess.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs()).map(URL::getPath).collect(Collectors.joining(":"));
    }
    return System.getProperty("java.class.path");
  }

  /** Waits for {@code ready}. */
  PoolProcess awaitReady() {
    Await.until(
        "the process is ready",
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError("the process has ended");
          }
          return !lines().isEmpty();
        });
    return this;
  }

  /** Waits until it has ended by itself, and well; returns what it has printed. */
  List<String> awaitEnd() throws InterruptedException {
    if (!process.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the process does not end");
    }
    if (process.exitValue() != 0) {
      throw new AssertionError("the process has ended with " + process.exitValue());
    }
    return lines();
  }

  /** The whole lines that it has printed. */
  private List<String> lines() {
    try {
      String text = Files.readString(output);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What it has printed after {@code ready}. */
  List<String> rest() {
    List<String> lines = lines();
    return lines.subList(1, lines.size());
  }

  /** Keeps it from running until it goes on or is killed. */
  void stop() throws IOException, InterruptedException {
    Signals.stop(process);
  }

  /** Lets it run again. */
  void goOn() throws IOException, InterruptedException {
    Signals.goOn(process);
  }

  /** Ends it as {@code kill -9} does, and waits until it has. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the process does not end");
    }
  }

  @Override
  public void close() throws InterruptedException, IOException {
    kill();
    Files.deleteIfExists(output);
  }
}
