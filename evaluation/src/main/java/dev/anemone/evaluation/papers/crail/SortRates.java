// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.crail;

import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.job.BarFigure;
import dev.anemone.evaluation.papers.job.BarFigure.Column;
import dev.anemone.evaluation.papers.job.ComparedJobs.Side;
import dev.anemone.evaluation.papers.job.JobCost;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The table of rates: how much a processor sorts in a minute. */
final class SortRates implements PaperFigure {
  private static final double CRAIL = 3.13;
  private static final double STOCK_SPARK = 0.66;
  private static final double IN_C = 4.4;

  @Override
  public String id() {
    return "crail-sort";
  }

  @Override
  public String question() {
    return "how much does a processor sort in a minute: stock, in a pool, and in C?";
  }

  @Override
  public int minutes() {
    return 8;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    SortJobs sorts = SortJobs.of(run);
    double pool = sorts.gigabytesPerMinuteAndCore(sorts.seconds(Store.POOL));
    double files = sorts.gigabytesPerMinuteAndCore(sorts.seconds(Store.FILES));
    double inC = sorts.gigabytesPerMinuteAndCore(sorts.seconds(sorts.inC()));
    double halfOfTheGain = 1 + (CRAIL / STOCK_SPARK - 1) / 2;
    List<Claim> claims =
        List.of(
            new Claim(
                String.format(
                    Locale.ROOT,
                    "%.1f times the rate of stock Spark (%.2f, %.2f; on slower nodes)",
                    CRAIL / STOCK_SPARK,
                    CRAIL,
                    STOCK_SPARK),
                String.format(Locale.ROOT, "%.2f times (%.2f, %.2f)", pool / files, pool, files),
                pool / files >= halfOfTheGain),
            new Claim(
                String.format(
                    Locale.ROOT,
                    "%.0f %% less than a sort in C (%.2f, %.2f)",
                    100 * (1 - CRAIL / IN_C),
                    CRAIL,
                    IN_C),
                String.format(
                    Locale.ROOT, "%.0f %% less (%.2f, %.2f)", 100 * (1 - pool / inC), pool, inC),
                pool / inC >= CRAIL / IN_C));
    List<Side> sides = List.of(Store.FILES, Store.POOL, sorts.inC());
    List<Column<Side>> more =
        Stream.concat(
                sides.stream().map(side -> new Column<>(side, "job, s", JobCost::seconds)),
                sides.stream()
                    .map(side -> new Column<>(side, "processors, s", JobCost::cpuSeconds)))
            .toList();
    return new BarFigure<Side>(
            id(),
            "sorted, MB",
            "GB per minute and core",
            cost -> sorts.gigabytesPerMinuteAndCore(cost.seconds()))
        .draw(
            run,
            sorts.setUp()
                + " The sort in C is that of GNU, of lines of 100 bytes, timed as a whole process.",
            sorts.only(sides),
            more,
            claims);
  }
}
