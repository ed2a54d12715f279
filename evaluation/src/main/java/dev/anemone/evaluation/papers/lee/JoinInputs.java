// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.lee;

import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.lee.LoggedRun.Consumer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.knowm.xchart.CategoryChart;

/**
 * Figure 5.5: what the tasks of the join of orders and customers read in Figure 5.4's runs, the
 * largest first.
 */
final class JoinInputs implements PaperFigure {

  @Override
  public String id() {
    return "lee-5.5";
  }

  @Override
  public String question() {
    return "how much does each task of the join with customers read?";
  }

  @Override
  public int minutes() {
    return 8;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    SkewedQueries queries = SkewedQueries.of(run);
    List<Consumer> joins =
        SkewedQueries.POLICIES.stream().map(policy -> queries.under(policy).get(0).join()).toList();
    List<List<Double>> kilobytes = joins.stream().map(JoinInputs::sortedKilobytes).toList();
    int tasks = kilobytes.stream().mapToInt(List::size).min().orElseThrow();
    List<String> columns = new ArrayList<>(List.of("task"));
    SkewedQueries.POLICIES.forEach(policy -> columns.add(policy + ", kB"));
    FigureOutcome outcome =
        new FigureOutcome(
            id(),
            queries.size().setUp(),
            columns,
            IntStream.range(0, tasks)
                .mapToObj(
                    task ->
                        new Point(
                            String.valueOf(task + 1),
                            kilobytes.stream().map(sorted -> sorted.get(task)).toList()))
                .toList(),
            claims(joins),
            id() + ".png");
    draw(outcome, run.directory().resolve(outcome.chart()));
    return outcome;
  }

  private static List<Double> sortedKilobytes(Consumer join) {
    return join.taskBytes().stream()
        .sorted(Comparator.reverseOrder())
        .map(bytes -> bytes / 1e3)
        .toList();
  }

  private static List<Claim> claims(List<Consumer> joins) {
    double usual = joins.get(0).maxToMean();
    double both = joins.get(joins.size() - 1).maxToMean();
    return List.of(
        new Claim(
            "with both passes inputs are much flatter",
            String.format(Locale.ROOT, "largest / mean %.2f, before %.2f", both, usual),
            both - 1 <= (usual - 1) / 2));
  }

  private static void draw(FigureOutcome outcome, Path file) throws IOException {
    CategoryChart chart = Charts.bars("lee-5.5", "task", "input, kB");
    List<String> tasks = outcome.points().stream().map(Point::x).toList();
    for (int series = 1; series < outcome.columns().size(); series++) {
      int column = series - 1;
      chart.addSeries(
          outcome.columns().get(series),
          tasks,
          outcome.points().stream().map(point -> point.values().get(column)).toList());
    }
    Charts.save(chart, file);
  }
}
