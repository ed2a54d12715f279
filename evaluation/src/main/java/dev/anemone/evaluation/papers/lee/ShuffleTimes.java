// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.lee;

import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.lab.workload.PolicyOptions.Side;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.lee.LoggedRun.Consumer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;

/** Figure 5.1: the time of a word count, divided into producing and consuming what is shuffled. */
final class ShuffleTimes implements PaperFigure {
  private static final double SLIGHTLY = 1.25;
  private static final double FAR = 0.5;

  /** Half of what the paper gains. */
  private static final double HALF_OF_THE_GAIN = 27;

  @Override
  public String id() {
    return "lee-5.1";
  }

  @Override
  public String question() {
    return "what do batched disk reads save, of producing and of consuming?";
  }

  @Override
  public int minutes() {
    return 6;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    CountedWords words = CountedWords.of(run);
    List<Point> points = new ArrayList<>();
    for (boolean charged : List.of(true, false)) {
      for (String policy : List.of(Side.DEFAULT, Side.LARGE_SHUFFLE)) {
        points.add(point(policy + (charged ? "" : ", no seeks"), words.shuffles(policy, charged)));
      }
    }
    FigureOutcome outcome =
        new FigureOutcome(
            id(),
            words.size().setUp(),
            List.of("policy", "producing, s", "consuming, s", "both, s", "standard deviation, s"),
            points,
            claims(words.shuffles(Side.DEFAULT, true), words.shuffles(Side.LARGE_SHUFFLE, true)),
            id() + ".png");
    draw(points, run.directory().resolve(outcome.chart()));
    return outcome;
  }

  private static Point point(String label, List<Consumer> shuffles) {
    return new Point(
        label,
        List.of(
            median(shuffles, Consumer::producingSeconds),
            median(shuffles, Consumer::consumingSeconds),
            median(shuffles, Consumer::seconds),
            Summary.deviation(shuffles, Consumer::seconds)));
  }

  private static List<Claim> claims(List<Consumer> usual, List<Consumer> batched) {
    double producing =
        median(batched, Consumer::producingSeconds) / median(usual, Consumer::producingSeconds);
    double consuming =
        median(batched, Consumer::consumingSeconds) / median(usual, Consumer::consumingSeconds);
    double gain = 100 * (1 - median(batched, Consumer::seconds) / median(usual, Consumer::seconds));
    return List.of(
        new Claim(
            "producing takes slightly longer",
            String.format(Locale.ROOT, "%.2f of its time", producing),
            producing > 1 && producing <= SLIGHTLY),
        new Claim(
            "consuming takes far less",
            String.format(Locale.ROOT, "%.2f of its time", consuming),
            consuming <= FAR),
        new Claim(
            "54 % less in all",
            String.format(Locale.ROOT, "%.1f %% less", gain), gain >= HALF_OF_THE_GAIN));
  }

  private static double median(List<Consumer> shuffles, ToDoubleFunction<Consumer> figure) {
    return Summary.of(shuffles, figure).median();
  }

  private static void draw(List<Point> points, Path file) throws IOException {
    CategoryChart chart = Charts.bars("lee-5.1", "policy", "s");
    chart.getStyler().setStacked(true);
    List<String> labels = points.stream().map(Point::x).toList();
    chart.addSeries(
        "producing", labels, points.stream().map(point -> point.values().get(0)).toList());
    chart.addSeries(
        "consuming", labels, points.stream().map(point -> point.values().get(1)).toList());
    Charts.save(chart, file);
  }
}
