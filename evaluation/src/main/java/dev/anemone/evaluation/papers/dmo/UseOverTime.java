// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.papers.dmo.ResourceUse.Moment;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;

/**
 * Figures 1 and 2: which shares of the slots and of the memory workloads have in use, over time.
 * The paper's are of a cluster of a company; these are its metrics for our own runs.
 */
final class UseOverTime implements PaperFigure {

  /** What a figure shows. */
  enum Shown {
    OVERHEAD(1, "do the workloads lack memory or processors?"),
    USE(2, "how much of memory and processors do the workloads use?");

    private final int number;
    private final String question;

    Shown(int number, String question) {
      this.number = number;
      this.question = question;
    }

    private List<Series> series() {
      return switch (this) {
        case OVERHEAD ->
            List.of(new Series("slots less memory", moment -> moment.slots() - moment.memory()));
        case USE ->
            List.of(new Series("memory", Moment::memory), new Series("slots", Moment::slots));
      };
    }
  }

  private record Series(String title, ToDoubleFunction<Moment> share) {

    double percent(Moment moment) {
      return 100 * share.applyAsDouble(moment);
    }
  }

  private static final String AXIS = "moment, about one a second";

  private final Shown shown;

  UseOverTime(Shown shown) {
    this.shown = shown;
  }

  @Override
  public String id() {
    return "dmo-" + shown.number;
  }

  @Override
  public String question() {
    return shown.question;
  }

  @Override
  public int minutes() {
    return 2;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    List<ResourceUse> uses = ResourceUse.all(run);
    List<String> columns = new ArrayList<>(List.of(AXIS));
    for (ResourceUse use : uses) {
      shown
          .series()
          .forEach(series -> columns.add(use.kind().paper() + ": " + series.title() + ", %"));
    }
    int moments = uses.stream().mapToInt(use -> use.moments().size()).max().orElseThrow();
    FigureOutcome outcome =
        new FigureOutcome(
            id(),
            ResourceUse.setUp(uses)
                + " Memory is that in use of heap and direct memory; slots are those with a task."
                + " The paper has a company's cluster in August 2018.",
            columns,
            IntStream.range(0, moments).mapToObj(moment -> point(uses, moment)).toList(),
            List.of(shown == Shown.OVERHEAD ? overhead(uses) : use(uses)),
            id() + ".png");
    draw(uses, run.directory().resolve(outcome.chart()));
    return outcome;
  }

  /** Not a number for those that have ended by then. */
  private Point point(List<ResourceUse> uses, int moment) {
    List<Double> values = new ArrayList<>();
    for (ResourceUse use : uses) {
      for (Series series : shown.series()) {
        values.add(
            moment < use.moments().size() ? series.percent(use.moments().get(moment)) : Double.NaN);
      }
    }
    return new Point(String.valueOf(moment + 1), values);
  }

  private static Claim overhead(List<ResourceUse> uses) {
    List<Moment> moments = uses.stream().flatMap(use -> use.moments().stream()).toList();
    long lacking = moments.stream().filter(moment -> moment.slots() < moment.memory()).count();
    return new Claim(
        "mostly memory is what lacks: a larger share of it is in use",
        String.format(Locale.ROOT, "in %d of %d moments", lacking, moments.size()),
        2 * lacking > moments.size());
  }

  private static Claim use(List<ResourceUse> uses) {
    return new Claim(
        "memory is nearly all in use, processors by 30 to 70 %",
        String.join(
            "; ",
            uses.stream()
                .map(
                    use ->
                        String.format(
                            Locale.ROOT,
                            "%s: %.0f %% of memory, %.0f %% of processors",
                            use.kind().paper(),
                            100 * use.meanMemory(),
                            100 * use.processorShare()))
                .toList()),
        uses.stream().allMatch(use -> use.meanMemory() > use.processorShare()));
  }

  private void draw(List<ResourceUse> uses, Path file) throws IOException {
    XYChart chart = Charts.curves(id() + ": " + shown.question, "s", "%");
    for (ResourceUse use : uses) {
      for (Series series : shown.series()) {
        Charts.add(
            chart,
            use.kind().paper() + ": " + series.title(),
            use.moments(),
            Moment::seconds,
            series::percent);
      }
    }
    Charts.save(chart, file);
  }
}
