// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.crail;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.papers.job.ComparedJobs;
import dev.anemone.evaluation.papers.job.JobCost;
import dev.anemone.evaluation.papers.job.JobRuns;
import dev.anemone.evaluation.papers.job.Workload;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The {@code sort} of GNU, a program in C, on all processors: it sorts as many lines as a workload
 * has records, each as long as a record of TeraSort.
 *
 * @param lines what is sorted
 * @param sorted where the result goes
 */
record NativeSort(Path lines, Path sorted) implements ComparedJobs.Side, AutoCloseable {
  private static final int LINE_BYTES = 100;
  private static final int KEY_BYTES = 10;
  private static final int LETTERS = 26;

  /** As much as the other sides' JVMs have. */
  private static final String BUFFER = "2G";

  /** Makes the lines, in a directory, with random keys. */
  static NativeSort make(Path directory, long bytes) throws IOException {
    NativeSort made = new NativeSort(directory.resolve("lines"), directory.resolve("sorted-lines"));
    SplittableRandom random = new SplittableRandom(1);
    byte[] line = new byte[LINE_BYTES];
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(made.lines))) {
      for (long number = 0; number < bytes / LINE_BYTES; number++) {
        for (int i = 0; i < LINE_BYTES - 1; i++) {
          line[i] =
              (byte) ('a' + (i < KEY_BYTES ? random.nextInt(LETTERS) : (number + i) % LETTERS));
        }
        line[LINE_BYTES - 1] = '\n';
        out.write(line);
      }
    }
    return made;
  }

  @Override
  public String title() {
    return "sort in C";
  }

  @Override
  public JobCost run(JobRuns lab, Workload workload) throws IOException, InterruptedException {
    ProcessFigures ended =
        MeasuredProcess.run(
            List.of(
                "env",
                "LC_ALL=C",
                "sort",
                "--parallel=" + Runtime.getRuntime().availableProcessors(),
                "--buffer-size=" + BUFFER,
                "--temporary-directory=" + lab.passing(),
                "--output=" + sorted,
                lines.toString()),
            lab.passing(),
            lab.log("sort-in-C"),
            lab.deadline());
    JobCost cost = JobCost.of(ended.requireSuccess(title()).cost());
    check();
    return cost;
  }

  private void check() throws IOException {
    long found = 0;
    try (BufferedReader reader = Files.newBufferedReader(sorted, StandardCharsets.US_ASCII)) {
      String before = "";
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.compareTo(before) < 0) {
          throw new ExperimentFailure("%s has not sorted: line %d.", title(), found + 1);
        }
        before = line;
        found++;
      }
    }
    if (found != Files.size(lines) / LINE_BYTES) {
      throw new ExperimentFailure(
          "%s found %d lines, and there are %d.", title(), found, Files.size(lines) / LINE_BYTES);
    }
    Files.delete(sorted);
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(lines);
    Files.deleteIfExists(sorted);
  }
}
