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
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.CategoryChart;

/**
 * Figure 5.2: at which rate what is shuffled is written, while it is produced, and read, while it
 * is consumed. The runs are those of Figure 5.1.
 */
final class DiskRates implements PaperFigure {
  private static final double SLIGHTLY = 0.7;
  private static final double MUCH = 2;

  @Override
  public String id() {
    return "lee-5.2";
  }

  @Override
  public String question() {
    return "at which rates do disks write and read what is shuffled?";
  }

  @Override
  public int minutes() {
    return 6;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    CountedWords words = CountedWords.of(run);
    Point usual = point(Side.DEFAULT, words.shuffles(Side.DEFAULT, true));
    Point batched = point(Side.LARGE_SHUFFLE, words.shuffles(Side.LARGE_SHUFFLE, true));
    FigureOutcome outcome =
        new FigureOutcome(
            id(),
            words.size().setUp()
                + " Rates are the bytes of the shuffle by the time of producing and of consuming;"
                + " the paper's are those of its disks.",
            List.of("policy", "write, MB/s", "read, MB/s", "seeks of consumers"),
            List.of(usual, batched),
            claims(usual.values(), batched.values()),
            id() + ".png");
    draw(outcome, run.directory().resolve(outcome.chart()));
    return outcome;
  }

  private static Point point(String policy, List<Consumer> shuffles) {
    return new Point(
        policy,
        List.of(
            Summary.of(
                    shuffles, shuffle -> shuffle.storedBytes() / 1e6 / shuffle.producingSeconds())
                .median(),
            Summary.of(
                    shuffles, shuffle -> shuffle.diskReadBytes() / 1e6 / shuffle.consumingSeconds())
                .median(),
            Summary.of(shuffles, Consumer::diskSeeks).median()));
  }

  private static List<Claim> claims(List<Double> usual, List<Double> batched) {
    double writing = batched.get(0) / usual.get(0);
    double reading = batched.get(1) / usual.get(1);
    return List.of(
        new Claim(
            "the write rate is slightly lower",
            String.format(Locale.ROOT, "%.2f of it", writing),
            writing < 1 && writing >= SLIGHTLY),
        new Claim(
            "the read rate is much higher",
            String.format(Locale.ROOT, "%.1f times as high", reading),
            reading >= MUCH));
  }

  private static void draw(FigureOutcome outcome, Path file) throws IOException {
    CategoryChart chart = Charts.bars("lee-5.2", "what shuffled data does", "MB/s");
    for (Point point : outcome.points()) {
      chart.addSeries(point.x(), List.of("written", "read"), point.values().subList(0, 2));
    }
    Charts.save(chart, file);
  }
}
