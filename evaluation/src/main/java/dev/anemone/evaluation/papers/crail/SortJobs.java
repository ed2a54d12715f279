// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.crail;

import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.job.ComparedJobs;
import dev.anemone.evaluation.papers.job.ComparedJobs.Job;
import dev.anemone.evaluation.papers.job.ComparedJobs.Side;
import dev.anemone.evaluation.papers.job.JobCost;
import dev.anemone.evaluation.papers.job.SortedRecords;
import dev.anemone.evaluation.papers.job.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The sorts that several figures show: with what lies between stages in every store, and one
 * without this project.
 *
 * @param size of the sort
 * @param inC the side without this project
 */
record SortJobs(Size size, Side inC, ComparedJobs<Side> jobs) {
  private static final String NAME = "crail-sorts";

  /** How much is sorted, and how often on each side. */
  record Size(int megabytes, int rounds) {
    static final Size SMALL = new Size(500, 3);
    static final Size FULL = new Size(10_000, 3);
  }

  static SortJobs of(FigureRun figures) throws Exception {
    return figures.once(
        SortJobs.class, () -> measure(figures, figures.isFull() ? Size.FULL : Size.SMALL));
  }

  static SortJobs measure(FigureRun figures, Size size) throws IOException, InterruptedException {
    Path directory = Files.createDirectories(figures.directory().resolve(NAME));
    try (Workload records = SortedRecords.make(figures, directory, size.megabytes());
        NativeSort inC = NativeSort.make(directory, records.inputBytes())) {
      List<Side> sides = List.of(Store.FILES, Store.MEMORY, Store.POOL, Store.POOL_ON_DISK, inC);
      return new SortJobs(
          size,
          inC,
          ComparedJobs.measure(
              figures,
              NAME,
              List.of(new Job(Integer.toString(size.megabytes()), records)),
              sides,
              size.rounds()));
    }
  }

  /** The jobs of these sides alone. */
  ComparedJobs<Side> only(List<Side> sides) {
    return new ComparedJobs<>(
        sides, jobs.runs().stream().filter(run -> sides.contains(run.side())).toList());
  }

  double seconds(Side side) {
    return jobs.median(side, jobs.x().get(0), JobCost::seconds);
  }

  /** How much longer one side takes than another, in percent; less than 0 when it is faster. */
  double percentLonger(Side side, Side other) {
    return 100 * (seconds(side) / seconds(other) - 1);
  }

  /** GB that are sorted in a minute on one of the processors. */
  double gigabytesPerMinuteAndCore(double seconds) {
    return size.megabytes() / 1e3 / (seconds / 60) / Runtime.getRuntime().availableProcessors();
  }

  String setUp() {
    return String.format(
        Locale.ROOT,
        "TeraSort of %,d MB, %d runs, the sides in turn, in one JVM with a heap of 2 GB; pools are"
            + " one server in another process of this machine, over loopback TCP, and share its %d"
            + " processors; input and output are files, and all of them are in the kernel's cache."
            + " The paper sorts 12.8 TB on 128 nodes with RDMA and NVMe.",
        size.megabytes(),
        size.rounds(),
        Runtime.getRuntime().availableProcessors());
  }
}
