// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.crail;

import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.job.BarFigure;
import dev.anemone.evaluation.papers.job.ComparedJobs.Side;
import dev.anemone.evaluation.papers.job.JobCost;
import java.util.List;
import java.util.Locale;

/** What it costs a sort that its data lies in a slower store, or in one that is further away. */
final class StoredSort implements PaperFigure {

  /** What is compared. */
  enum Shown {
    TIERS(
        "tiers",
        "what does it cost a sort that its data lies on flash and not in DRAM?",
        "on NVMe 48 % longer than in DRAM",
        Store.POOL,
        Store.POOL_ON_DISK,
        48),
    APART(
        "apart",
        "what does it cost a sort that its data lies elsewhere than where it computes?",
        "in memory of other nodes as fast as in its own",
        Store.MEMORY,
        Store.POOL,
        20);

    private final String name;
    private final String question;
    private final String paper;
    private final Store near;
    private final Store far;
    private final double mostPercent;

    Shown(String name, String question, String paper, Store near, Store far, double mostPercent) {
      this.name = name;
      this.question = question;
      this.paper = paper;
      this.near = near;
      this.far = far;
      this.mostPercent = mostPercent;
    }
  }

  private final Shown shown;

  StoredSort(Shown shown) {
    this.shown = shown;
  }

  @Override
  public String id() {
    return "crail-" + shown.name;
  }

  @Override
  public String question() {
    return shown.question;
  }

  @Override
  public int minutes() {
    return 8;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    SortJobs sorts = SortJobs.of(run);
    double longer = sorts.percentLonger(shown.far, shown.near);
    List<Side> sides = List.of(shown.near, shown.far);
    return new BarFigure<Side>(id(), "sorted, MB", "job, s", JobCost::seconds)
        .draw(
            run,
            sorts.setUp(),
            sorts.only(sides),
            List.of(),
            List.of(
                new Claim(
                    shown.paper,
                    String.format(
                        Locale.ROOT,
                        "%s %.1f %% longer than %s",
                        shown.far.title(),
                        longer,
                        shown.near.title()),
                    longer <= shown.mostPercent)));
  }
}
