// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the Linux kernel has counted for a process since it started.
 *
 * @param userCpu time on a processor outside the kernel, all threads, with children that have ended
 * @param systemCpu time on a processor in the kernel, likewise
 * @param peakResidentBytes the most memory that the process itself has had in RAM at any time; 0 if
 *     the process has given its memory back already
 */
record ProcessStatistics(Duration userCpu, Duration systemCpu, long peakResidentBytes) {
  private static final Path PROC = Path.of("/proc");

  /** Linux fixes the unit of the times in {@code /proc} at 1/100 s, whatever the kernel's timer. */
  private static final long MILLISECONDS_PER_TICK = 10;

  private static final Pattern PEAK_RESIDENT = Pattern.compile("VmHWM:\\s*([0-9]+) kB");

  /** Positions in {@code /proc/<pid>/stat} after the name, which may hold spaces; see proc(5). */
  private static final int USER = 11;

  private static final int SYSTEM = 12;
  private static final int USER_OF_CHILDREN = 13;
  private static final int SYSTEM_OF_CHILDREN = 14;

  /** Before anything is known. */
  static ProcessStatistics none() {
    return new ProcessStatistics(Duration.ZERO, Duration.ZERO, 0);
  }

  /** Whether this system has the files that {@link #read} needs. */
  static boolean supported() {
    return Files.isReadable(PROC.resolve("self/stat"));
  }

  /**
   * Reads the figures of a process.
   *
   * @return empty if there is no such process any more
   * @throws IOException if the files are not what Linux writes
   */
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
