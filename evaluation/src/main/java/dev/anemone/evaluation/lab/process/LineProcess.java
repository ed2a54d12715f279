// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import dev.anemone.evaluation.lab.ExperimentFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A program that runs beside the experiment and talks with it by lines: it reads them from its
 * standard input and writes them to its standard output. Its error stream goes to a log. It is
 * killed when it is closed, or when this JVM ends. Used by one thread at a time.
 */
public final class LineProcess implements AutoCloseable {
  private static final int LOG_LINES = 15;
  private static final Duration TIME_TO_DIE = Duration.ofSeconds(30);
  private static final Duration INTERVAL = Duration.ofMillis(100);

  private final Process process;
  private final Path log;
  private final Thread reader;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private volatile boolean ending;

  private LineProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.reader = new Thread(this::read, "output of process " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a program with more environment variables; its error stream replaces a log. */
  public static LineProcess start(List<String> command, Map<String, String> environment, Path log)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    MeasuredProcess.RUNNING.add(process);
    return new LineProcess(process, log);
  }

  /** Starts a Java program; its error stream goes to a log, which is replaced. */
  public static LineProcess start(JavaProgram program, Path log) throws IOException {
    return start(program.command(), Map.of(), log);
  }

  /** Where a program that was started so reads lines, until nobody is there any more. */
  public static BufferedReader orders() {
    return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  }

  /** In a program that was started so: returns when nobody is there any more. */
  public static void awaitEndOfOrders() throws IOException {
    System.in.transferTo(OutputStream.nullOutputStream());
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      // The stream may be closed while it is read, when the process is killed.
      if (!ending) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public long pid() {
    return process.pid();
  }

  public void say(String line) throws IOException {
    process.outputWriter(StandardCharsets.UTF_8).append(line).append('\n').flush();
  }

  /** Waits for a line with a first word, returns the others; fails at the end of the process. */
  public List<String> await(String word, Duration deadline)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + deadline.toNanos();
    while (System.nanoTime() - end < 0) {
      boolean ended = !process.isAlive();
      if (ended) {
        // All that it has said is in the queue before it is asked for the last time.
        reader.join(TIME_TO_DIE.toMillis());
      }
      String line = lines.poll(INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
      if (line != null && (line.equals(word) || line.startsWith(word + " "))) {
        return Arrays.stream(line.split(" ", -1)).skip(1).toList();
      }
      if (line == null && ended) {
        throw failure("has ended before it said '" + word + "'");
      }
    }
    throw failure("did not say '" + word + "' within " + deadline.toSeconds() + " s");
  }

  private ExperimentFailure failure(String what) throws IOException {
    return new ExperimentFailure(
        "The process %d %s. The end of its log, %s:%n%s",
        process.pid(), what, log, MeasuredProcess.lastMessages(log, LOG_LINES));
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Completes when it ends, however it does. */
  public CompletableFuture<?> onEnd() {
    return process.onExit();
  }

  /** Lets it stand still, as {@code SIGSTOP} does, until it is told to go on. */
  public void stop() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Lets one that stands still go on. */
  public void goOn() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    SystemCommand.run(
        Path.of("."), TIME_TO_DIE, List.of("kill", "-" + name, Long.toString(process.pid())));
  }

  /** What it ended with; fails while it runs. */
  public int exitCode() {
    return process.exitValue();
  }

  /** Ends it as {@code kill -9} does, and returns what it has said and nobody has asked for. */
  public List<String> kill() throws IOException, InterruptedException {
    ending = true;
    // The method of the process itself would throw away what it has said and nobody has read. One
    // that has ended already cannot be asked, which does not matter.
    process.toHandle().destroyForcibly();
    if (!process.waitFor(TIME_TO_DIE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException(
          "The process " + process.pid() + " still runs " + TIME_TO_DIE + " after it was killed.");
    }
    reader.join(TIME_TO_DIE.toMillis());
    MeasuredProcess.RUNNING.remove(process);
    List<String> rest = List.copyOf(lines);
    lines.clear();
    return rest;
  }

  /** Closes its input, and waits for its end; fails if it does not end, or not well. */
  public void end(Duration deadline) throws IOException, InterruptedException {
    process.outputWriter(StandardCharsets.UTF_8).close();
    if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
      throw failure("has not ended " + deadline.toSeconds() + " s after its input");
    }
    MeasuredProcess.RUNNING.remove(process);
    if (process.exitValue() != 0) {
      throw failure("has ended with exit code " + process.exitValue());
    }
  }

  @Override
  public void close() {
    ending = true;
    process.destroyForcibly();
    MeasuredProcess.RUNNING.remove(process);
  }
}
