// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.crail;

import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.lab.workload.BroadcastProgram;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.job.ComparedJobs;
import dev.anemone.evaluation.papers.job.ComparedJobs.Job;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;

/** How long tasks take to read a small broadcast, from a file and from a pool. */
final class BroadcastTimes implements PaperFigure {
  private static final List<Store> STORES = List.of(Store.FILES, Store.POOL);
  private static final List<Integer> PERCENTILES = List.of(1, 10, 25, 50, 75, 90, 95, 99, 100);

  private final Optional<Size> chosen;

  record Size(int tasks, int rounds) {
    static final Size SMALL = new Size(200, 3);
    static final Size FULL = new Size(1000, 5);
  }

  BroadcastTimes() {
    this(Optional.empty());
  }

  /** With another size than that of the scale that a run asks for. */
  BroadcastTimes(Optional<Size> chosen) {
    this.chosen = chosen;
  }

  @Override
  public String id() {
    return "crail-broadcast";
  }

  @Override
  public String question() {
    return "how long do tasks take to read a small broadcast, from a file and from a pool?";
  }

  @Override
  public int minutes() {
    return 2;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    Size size = chosen.orElse(run.isFull() ? Size.FULL : Size.SMALL);
    try (ReadBroadcast broadcast =
        new ReadBroadcast(size.tasks(), run.directory().resolve(id() + ".times"))) {
      ComparedJobs.measure(
          run,
          id(),
          List.of(new Job(Integer.toString(size.tasks()), broadcast)),
          STORES,
          size.rounds());
      double files = at(broadcast.microseconds(Store.FILES), 100);
      double pool = at(broadcast.microseconds(Store.POOL), 100);
      FigureOutcome outcome =
          new FigureOutcome(
              id(),
              String.format(
                  Locale.ROOT,
                  "%d bytes, read by each of %d tasks in one JVM, %d runs, the stores in turn; the"
                      + " time is that of a task's first access. Tasks of a JVM share what the"
                      + " first of them reads. The paper has a JVM on each of eight nodes, and"
                      + " gives no times.",
                  BroadcastProgram.BYTES,
                  size.tasks(),
                  size.rounds()),
              List.of("percent of tasks", "files: us", "pool: us"),
              PERCENTILES.stream()
                  .map(
                      percent ->
                          new Point(
                              Integer.toString(percent),
                              STORES.stream()
                                  .map(store -> at(broadcast.microseconds(store), percent))
                                  .toList()))
                  .toList(),
              List.of(
                  new Claim(
                      "sooner there than with stock Spark",
                      String.format(
                          Locale.ROOT,
                          "the slowest task takes %.0f us, from files %.0f us",
                          pool,
                          files),
                      pool < files)),
              id() + ".png");
      XYChart chart = Charts.curves(id(), "us", "percent of tasks");
      chart.getStyler().setXAxisLogarithmic(true);
      for (Store store : STORES) {
        List<Double> microseconds = broadcast.microseconds(store);
        Charts.add(
            chart,
            store.title(),
            IntStream.range(0, microseconds.size()).boxed().toList(),
            microseconds::get,
            task -> 100.0 * (task + 1) / microseconds.size());
      }
      Charts.save(chart, run.directory().resolve(outcome.chart()));
      return outcome;
    }
  }

  /** The value that so many percent of values in order do not exceed. */
  private static double at(List<Double> ordered, int percent) {
    return ordered.get((int) Math.ceil(ordered.size() * percent / 100.0) - 1);
  }
}
