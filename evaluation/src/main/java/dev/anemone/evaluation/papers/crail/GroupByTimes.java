// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.crail;

import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.job.BarFigure;
import dev.anemone.evaluation.papers.job.BarFigure.Column;
import dev.anemone.evaluation.papers.job.ComparedJobs;
import dev.anemone.evaluation.papers.job.ComparedJobs.Job;
import dev.anemone.evaluation.papers.job.GroupByWorkload;
import dev.anemone.evaluation.papers.job.JobCost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How long a group-by takes in files and in a pool, on one core and on more. */
final class GroupByTimes implements PaperFigure {
  private static final int TASKS = 16;
  private static final List<Store> STORES = List.of(Store.FILES, Store.POOL);

  private final Optional<Size> chosen;

  /**
   * @param slots tasks at a time
   */
  record Size(int megabytes, List<Integer> slots, int rounds) {
    static final Size SMALL = new Size(500, List.of(1, 2), 3);
    static final Size FULL = new Size(4000, List.of(1, 2), 3);
  }

  GroupByTimes() {
    this(Optional.empty());
  }

  /** With another size than that of the scale that a run asks for. */
  GroupByTimes(Optional<Size> chosen) {
    this.chosen = chosen;
  }

  @Override
  public String id() {
    return "crail-groupby";
  }

  @Override
  public String question() {
    return "how long does a group-by take in files and in a pool, on one core and on more?";
  }

  @Override
  public int minutes() {
    return 5;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    Size size = chosen.orElse(run.isFull() ? Size.FULL : Size.SMALL);
    ComparedJobs<Store> jobs = measure(run, size);
    List<Claim> claims = new ArrayList<>();
    for (String slots : jobs.x()) {
      double files = jobs.median(Store.FILES, slots, JobCost::seconds);
      double pool = jobs.median(Store.POOL, slots, JobCost::seconds);
      claims.add(
          new Claim(
              "faster than stock, on " + slots + " of its cores",
              String.format(
                  Locale.ROOT,
                  "%.1f s, in files %.1f s; %.0f and %.0f MB/s",
                  pool,
                  files,
                  size.megabytes() / pool,
                  size.megabytes() / files),
              pool < files));
    }
    return new BarFigure<Store>(id(), "tasks at a time", "job, s", JobCost::seconds)
        .draw(
            run,
            String.format(
                Locale.ROOT,
                "A group-by of %,d MB that are made as they are read, in place of cached ones, %d"
                    + " tasks of either stage, %,d keys, %d runs, the stores in turn; the JVM's"
                    + " own threads, and the pool's server, use what cores tasks leave. The paper"
                    + " has 240 GB on eight nodes, and gives no times.",
                size.megabytes(),
                TASKS,
                GroupByWorkload.KEYS,
                size.rounds()),
            jobs,
            STORES.stream()
                .map(store -> new Column<>(store, "processors, s", JobCost::cpuSeconds))
                .toList(),
            List.copyOf(claims));
  }

  private ComparedJobs<Store> measure(FigureRun run, Size size)
      throws IOException, InterruptedException {
    Path report = run.directory().resolve(id() + ".report.json");
    List<Job> jobs =
        size.slots().stream()
            .map(
                slots ->
                    new Job(
                        Integer.toString(slots),
                        GroupByWorkload.of(size.megabytes(), TASKS, report, "--slots=" + slots)))
            .toList();
    try {
      return ComparedJobs.measure(run, id(), jobs, STORES, size.rounds());
    } finally {
      Files.deleteIfExists(report);
    }
  }
}
