// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import dev.anemone.evaluation.lab.ExperimentFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs a program as a process of its own, to its end, and measures it.
 *
 * <p>The processor time and the memory are read from {@code /proc} while the process runs, since
 * they are gone with the process. The kernel keeps the peak of the memory, so no peak between two
 * samples is lost. Thread-safe.
 */
public final class MeasuredProcess {
  /** How often the kernel is asked; one question costs some 50 microseconds. */
  public static final Duration SAMPLING_INTERVAL = Duration.ofMillis(20);

  private static final Duration TIME_TO_DIE = Duration.ofSeconds(30);

  /** A JVM of several GB must not stay behind when the experiment is interrupted. */
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private static final Pattern STACK_FRAME = Pattern.compile("\\s+(at |\\.\\.\\. )");

  private MeasuredProcess() {}

  /**
   * Runs a program and waits for its end.
   *
   * @param command the program and its arguments
   * @param directory the working directory; must exist
   * @param log where its output and error stream go; replaced
   * @param deadline after which it is killed
   * @throws ExperimentFailure if this system has no {@code /proc}
   * @throws IOException if the program cannot be started, or does not die when it is killed
   * @throws InterruptedException if the thread is interrupted; the process is killed then
   */
  public static ProcessFigures run(
      List<String> command, Path directory, Path log, Duration deadline)
      throws IOException, InterruptedException {
    if (!ProcessStatistics.supported()) {
      throw new ExperimentFailure(
          "Processor time and memory of a process are read from /proc, which this system does not"
              + " have. Measure on Linux.");
    }
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    RUNNING.add(process);
    try {
      process.getOutputStream().close();
      return measure(process, start, log, deadline);
    } finally {
      process.destroyForcibly();
      RUNNING.remove(process);
    }
  }

  private static ProcessFigures measure(Process process, long start, Path log, Duration deadline)
      throws IOException, InterruptedException {
    ProcessStatistics statistics = ProcessStatistics.none();
    OptionalInt exitCode = OptionalInt.empty();
    while (exitCode.isEmpty() && System.nanoTime() - start < deadline.toNanos()) {
      ProcessStatistics earlier = statistics;
      statistics =
          ProcessStatistics.read(process.pid())
              .map(current -> current.after(earlier))
              .orElse(earlier);
      if (process.waitFor(SAMPLING_INTERVAL.toNanos(), TimeUnit.NANOSECONDS)) {
        exitCode = OptionalInt.of(process.exitValue());
      }
    }
    double wallSeconds = (System.nanoTime() - start) / 1e9;
    if (exitCode.isEmpty()) {
      process.destroyForcibly();
      if (!process.waitFor(TIME_TO_DIE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "The process "
                + process.pid()
                + " still runs "
                + TIME_TO_DIE
                + " after it was killed.");
      }
    }
    ProcessCost cost =
        new ProcessCost(
            wallSeconds,
            statistics.userCpu().toNanos() / 1e9,
            statistics.systemCpu().toNanos() / 1e9,
            statistics.peakResidentBytes());
    return new ProcessFigures(exitCode, cost, log, deadline);
  }

  /**
   * The end of a log without the frames of stack traces, so that what is left says what failed.
   *
   * @throws IOException if it cannot be read
   */
  public static String lastMessages(Path log, int lines) throws IOException {
    try (Stream<String> all = Files.lines(log)) {
      List<String> messages = all.filter(line -> !STACK_FRAME.matcher(line).lookingAt()).toList();
      return String.join(
          "\n", messages.subList(Math.max(0, messages.size() - lines), messages.size()));
    }
  }
}
