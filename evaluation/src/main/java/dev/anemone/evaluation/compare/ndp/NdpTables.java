// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import dev.anemone.evaluation.compare.ndp.NdpFigures.NdpPoint;
import dev.anemone.evaluation.compare.ndp.NdpFigures.Pushdown;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The runs of the experiment as tables. */
final class NdpTables {
  private static final int LINEITEM_QUERY = 6;
  private static final double MEGABYTE = 1e6;

  private NdpTables() {}

  /** Median times in seconds, a line for each point. */
  static String times(NdpFigures figures, String figure) {
    List<String> titles = new ArrayList<>(List.of("queries", "Mbit/s", "proxy cores"));
    Stream.of(Pushdown.values()).map(each -> each.text() + "|%.2f").forEach(titles::add);
    titles.addAll(List.of("oracle", "NearData / oracle|%.2f"));
    MarkdownTable table = new MarkdownTable(titles);
    for (NdpPoint point : figures.points(figure)) {
      List<Object> row = start(point);
      for (Pushdown pushdown : Pushdown.values()) {
        row.add(figures.seconds(point, pushdown));
      }
      row.add(figures.oracle(point).text());
      row.add(ratioToOracle(figures, point));
      table.row(row.toArray());
    }
    return table.toString();
  }

  /** What the link carried, in MB, a line for each point. */
  static String bytes(NdpFigures figures, String figure) {
    List<String> titles = new ArrayList<>(List.of("queries", "Mbit/s", "proxy cores"));
    for (Pushdown pushdown : Pushdown.values()) {
      titles.add(pushdown.text() + " MB|%.3f");
    }
    titles.add("pushed / back, NearData");
    MarkdownTable table = new MarkdownTable(titles);
    for (NdpPoint point : figures.points(figure)) {
      List<Object> row = start(point);
      for (Pushdown pushdown : Pushdown.values()) {
        row.add(figures.linkBytes(point, pushdown) / MEGABYTE);
      }
      NdpFigures.Run run = figures.of(point, Pushdown.NEAR_DATA).get(0);
      row.add(run.splitsPushed() + " / " + run.splitsPushedBack());
      table.row(row.toArray());
    }
    return table.toString();
  }

  private static List<Object> start(NdpPoint point) {
    return new ArrayList<>(
        List.of(point.queriesText(), number(point.megabits()), point.proxyCores()));
  }

  /** What the experiment was made for, in sentences. */
  static String summary(NdpFigures figures) {
    StringBuilder text = new StringBuilder();
    double sum = 0;
    double worst = 0;
    double worstExtreme = 0;
    List<NdpPoint> points = figures.runs().stream().map(NdpFigures.Run::point).distinct().toList();
    for (NdpPoint point : points) {
      double ratio = ratioToOracle(figures, point);
      sum += ratio;
      worst = Math.max(worst, ratio);
      double extreme =
          Math.min(figures.seconds(point, Pushdown.NONE), figures.seconds(point, Pushdown.FULL));
      worstExtreme = Math.max(worstExtreme, figures.seconds(point, Pushdown.NEAR_DATA) / extreme);
    }
    text.append(
        format(
            "NearData takes %.3f of the oracle's time on average over %d points, %.3f at worst, and"
                + " %.3f of that of the better extreme at worst.%n",
            sum / points.size(), points.size(), worst, worstExtreme));
    for (NdpPoint point : figures.points(NdpPoint.BANDWIDTH)) {
      if (point.queries().equals(List.of(LINEITEM_QUERY))) {
        NdpFigures.Run run = figures.of(point, Pushdown.FULL).get(0);
        text.append(
            format(
                "Q6 at full pushdown and %s Mbit/s: answers of %d bytes, %.4f %% of %.1f MB; the"
                    + " link carried %d bytes, %.4f %%.%n",
                number(point.megabits()),
                run.answerBytes(),
                100.0 * run.answerBytes() / figures.lineitemBytes(),
                figures.lineitemBytes() / MEGABYTE,
                run.linkBytes(),
                100.0 * run.linkBytes() / figures.lineitemBytes()));
      }
    }
    return text.toString();
  }

  private static double ratioToOracle(NdpFigures figures, NdpPoint point) {
    return figures.seconds(point, Pushdown.NEAR_DATA)
        / figures.seconds(point, figures.oracle(point));
  }

  static String number(double value) {
    return value == Math.rint(value) ? format("%.0f", value) : Double.toString(value);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
