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
import dev.anemone.evaluation.papers.job.JobCost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How long a join of two Parquet sets takes, shuffled through files and through a pool. */
final class JoinTimes implements PaperFigure {
  private static final List<Store> STORES = List.of(Store.FILES, Store.POOL);

  private final Optional<Size> chosen;

  /**
   * @param megabytes of each set
   */
  record Size(int megabytes, int rounds) {
    static final Size SMALL = new Size(500, 3);
    static final Size FULL = new Size(4000, 3);
  }

  JoinTimes() {
    this(Optional.empty());
  }

  /** With another size than that of the scale that a run asks for. */
  JoinTimes(Optional<Size> chosen) {
    this.chosen = chosen;
  }

  @Override
  public String id() {
    return "crail-join";
  }

  @Override
  public String question() {
    return "how long does a join of two Parquet sets take, through files and through a pool?";
  }

  @Override
  public int minutes() {
    return 3;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    Size size = chosen.orElse(run.isFull() ? Size.FULL : Size.SMALL);
    Path sets = Files.createDirectories(run.directory().resolve(id() + "-sets"));
    try (JoinedSets join = JoinedSets.make(sets, size.megabytes())) {
      String megabytes = Integer.toString(size.megabytes());
      ComparedJobs<Store> jobs =
          ComparedJobs.measure(run, id(), List.of(new Job(megabytes, join)), STORES, size.rounds());
      double files = jobs.median(Store.FILES, megabytes, JobCost::seconds);
      double pool = jobs.median(Store.POOL, megabytes, JobCost::seconds);
      return new BarFigure<Store>(id(), "MB of a set", "job, s", JobCost::seconds)
          .draw(
              run,
              String.format(
                  Locale.ROOT,
                  "%s, %d runs, the stores in turn, in one JVM: in columns, both sides sent by a"
                      + " hash of the key, the result written as Parquet. The paper has 100 GB a"
                      + " set, and gives no times.",
                  join.describe(),
                  size.rounds()),
              jobs,
              STORES.stream()
                  .map(
                      store ->
                          new Column<>(store, "shuffled, MB", cost -> cost.storedBytes() / 1e6))
                  .toList(),
              List.of(
                  new Claim(
                      "faster than stock Spark",
                      String.format(Locale.ROOT, "%.1f s, through files %.1f s", pool, files),
                      pool < files)));
    }
  }
}
