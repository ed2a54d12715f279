// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.papers.dmo.ResourceUse.StageInput;
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
import org.knowm.xchart.CategoryChart;

/**
 * Figure 3: how much each task of a stage reads. The paper's are stages of a company's jobs; this
 * is its metric for our own runs.
 */
final class TaskInputs implements PaperFigure {

  /** Stages differ when one's tasks read so many times what another's do. */
  private static final double DIFFERENT = 2;

  @Override
  public String id() {
    return "dmo-3";
  }

  @Override
  public String question() {
    return "how much does a task of each stage read?";
  }

  @Override
  public int minutes() {
    return 2;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    List<ResourceUse> uses = ResourceUse.all(run);
    List<Point> points = new ArrayList<>();
    for (ResourceUse use : uses) {
      for (int stage = 0; stage < use.inputs().size(); stage++) {
        StageInput input = use.inputs().get(stage);
        points.add(
            new Point(
                use.kind().paper() + ", " + (stage + 1),
                List.of(
                    (double) input.bytes().size(), input.meanMegabytes(), input.mostMegabytes())));
      }
    }
    FigureOutcome outcome =
        new FigureOutcome(
            id(),
            ResourceUse.setUp(uses)
                + " Of stages that read others; the paper has a company's jobs.",
            List.of("workload, stage", "tasks", "mean, MB", "most, MB"),
            points,
            List.of(claim(uses)),
            id() + ".png");
    draw(points, run.directory().resolve(outcome.chart()));
    return outcome;
  }

  private static Claim claim(List<ResourceUse> uses) {
    List<Double> means =
        uses.stream()
            .flatMap(use -> use.inputs().stream())
            .map(StageInput::meanMegabytes)
            .sorted()
            .toList();
    double least = means.get(0);
    double most = means.get(means.size() - 1);
    return new Claim(
        "inputs of tasks differ from stage to stage, between 0 and 1 GB",
        String.format(Locale.ROOT, "%.3f to %.1f MB, on average over a stage's tasks", least, most),
        most >= DIFFERENT * least);
  }

  private static void draw(List<Point> points, Path file) throws IOException {
    CategoryChart chart = Charts.bars("dmo-3", "workload, stage", "input of a task, MB");
    List<String> stages = points.stream().map(Point::x).toList();
    chart.addSeries("mean", stages, points.stream().map(point -> point.values().get(1)).toList());
    chart.addSeries("most", stages, points.stream().map(point -> point.values().get(2)).toList());
    Charts.save(chart, file);
  }
}
