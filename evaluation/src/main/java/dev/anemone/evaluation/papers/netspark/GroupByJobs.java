// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.netspark;

import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.job.ComparedJobs.Job;
import dev.anemone.evaluation.papers.job.GroupByWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The runs of both figures of the group-by.
 *
 * @param size of the group-bys
 */
record GroupByJobs(Size size, ShuffledJobs jobs) {
  private static final int TASKS = 16;

  /** The paper's sizes, of which the largest is 43 times the smallest, and two between. */
  record Size(List<Integer> megabytes, int rounds) {
    static final Size SMALL = new Size(List.of(25, 90, 300, 1070), 2);
    static final Size FULL = new Size(List.of(250, 900, 3000, 10700), 5);

    String setUp() {
      return String.format(
          Locale.ROOT,
          "A group-by of %s MB, %d tasks of either stage, %d keys, %d runs, the ways in turn, in"
              + " one JVM of this machine: senders and receivers share its processors, and no"
              + " link is slower than memory. The paper has 2.5 and 107.3 GB and 34 servers; the"
              + " ratio of the sizes was kept. Tcp and ucx read from pooled pages, as NetSpark"
              + " does; naive is ucx into memory that is allocated, registered and copied for each"
              + " read. Registration is only modelled where there is no device.%s",
          megabytes,
          TASKS,
          GroupByWorkload.KEYS,
          rounds,
          Way.missing());
    }
  }

  static GroupByJobs of(FigureRun figures) throws Exception {
    return figures.once(
        GroupByJobs.class, () -> measure(figures, figures.isFull() ? Size.FULL : Size.SMALL));
  }

  static GroupByJobs measure(FigureRun figures, Size size)
      throws IOException, InterruptedException {
    Path report = figures.directory().resolve("netspark-groupby.report.json");
    List<Job> jobs =
        size.megabytes().stream()
            .map(
                megabytes ->
                    new Job(
                        Integer.toString(megabytes), GroupByWorkload.of(megabytes, TASKS, report)))
            .toList();
    try {
      return new GroupByJobs(
          size, ShuffledJobs.measure(figures, "netspark-groupby", jobs, size.rounds()));
    } finally {
      Files.deleteIfExists(report);
    }
  }
}
