// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
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
  static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private static final Pattern STACK_FRAME = Pattern.compile("\\s+(at |\\.\\.\\. )");

  private MeasuredProcess() {}

  /** Runs a program in a directory to its end or a deadline; its output replaces a log. */
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
            "The process %s still runs %s after it was killed."
                .formatted(process.pid(), TIME_TO_DIE));
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

  /** The end of a log without the frames of stack traces, so that what is left says what failed. */
  public static String lastMessages(Path log, int lines) throws IOException {
    try (Stream<String> all = Files.lines(log)) {
      List<String> messages = all.filter(line -> !STACK_FRAME.matcher(line).lookingAt()).toList();
      return String.join(
          "\n", messages.subList(Math.max(0, messages.size() - lines), messages.size()));
    }
  }

  /** What the kernel counts, with ended children; the peak is 0 when the memory is given back. */
  record ProcessStatistics(Duration userCpu, Duration systemCpu, long peakResidentBytes) {
    private static final Path PROC = Path.of("/proc");

    /** Linux fixes the unit of the times at 1/100 s, whatever the kernel's timer. */
    private static final long MILLISECONDS_PER_TICK = 10;

    private static final Pattern PEAK_RESIDENT = Pattern.compile("VmHWM:\\s*([0-9]+) kB");

    /** Positions in {@code /proc/<pid>/stat} after the name, which may hold spaces; see proc(5). */
    private static final int USER = 11;

    private static final int SYSTEM = 12;
    private static final int USER_OF_CHILDREN = 13;
    private static final int SYSTEM_OF_CHILDREN = 14;

    static ProcessStatistics none() {
      return new ProcessStatistics(Duration.ZERO, Duration.ZERO, 0);
    }

    /** Whether this system has the files that {@link #read} needs. */
    static boolean supported() {
      return Files.isReadable(PROC.resolve("self/stat"));
    }

    /** Reads the figures of a process; empty if there is no such one any more. */
    static Optional<ProcessStatistics> read(long processId) throws IOException {
      String stat;
      String status;
      try {
        stat = Files.readString(PROC.resolve(processId + "/stat"));
        status = Files.readString(PROC.resolve(processId + "/status"));
      } catch (FileSystemException ended) {
        return Optional.empty();
      } catch (IOException unreadable) {
        // A process that ends between open and read gives an error without a type of its own.
        if (Files.exists(PROC.resolve(Long.toString(processId)))) {
          throw unreadable;
        }
        return Optional.empty();
      }
      return Optional.of(parse(stat, status));
    }

    /** Reads the figures from the text of {@code stat} and {@code status}. */
    static ProcessStatistics parse(String stat, String status) throws IOException {
      List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 1).strip().split(" "));
      if (fields.size() <= SYSTEM_OF_CHILDREN) {
        throw new IOException("Not what Linux writes to /proc/<pid>/stat: " + stat);
      }
      Matcher peak = PEAK_RESIDENT.matcher(status);
      return new ProcessStatistics(
          ticks(fields, USER).plus(ticks(fields, USER_OF_CHILDREN)),
          ticks(fields, SYSTEM).plus(ticks(fields, SYSTEM_OF_CHILDREN)),
          peak.find() ? Long.parseLong(peak.group(1)) * 1024 : 0);
    }

    /** These figures, with the peak of earlier ones where that is higher. */
    ProcessStatistics after(ProcessStatistics earlier) {
      return new ProcessStatistics(
          userCpu, systemCpu, Math.max(peakResidentBytes, earlier.peakResidentBytes));
    }

    private static Duration ticks(List<String> fields, int position) {
      return Duration.ofMillis(Long.parseLong(fields.get(position)) * MILLISECONDS_PER_TICK);
    }
  }
}
