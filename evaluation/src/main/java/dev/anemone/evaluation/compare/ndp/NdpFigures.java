// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import dev.anemone.evaluation.lab.neardata.NearDataSides.Condition;
import dev.anemone.evaluation.lab.neardata.NearDataSides.Measured;
import dev.anemone.evaluation.lab.neardata.Pushdown;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

record NdpFigures(double scale, int nodes, long lineitemBytes, List<Run> runs) {
  private static final int LINEITEM_QUERY = 6;
  private static final double MEGABYTE = 1e6;

  record Run(NdpPoint point, Pushdown pushdown, int round, Measured measured) {
    double seconds() {
      return measured.seconds();
    }

    long linkBytes() {
      return measured.linkBytes();
    }
  }

  /** Median times in seconds, a line for each point. */
  String times(String figure) {
    List<String> titles = new ArrayList<>(List.of("queries", "Mbit/s", "proxy cores"));
    Stream.of(Pushdown.values()).map(each -> each.text() + "|%.2f").forEach(titles::add);
    titles.addAll(List.of("oracle", "NearData / oracle|%.2f"));
    MarkdownTable table = new MarkdownTable(titles);
    for (NdpPoint point : points(figure)) {
      List<Object> row = start(point);
      for (Pushdown pushdown : Pushdown.values()) {
        row.add(seconds(point, pushdown));
      }
      row.add(oracle(point).text());
      row.add(ratioToOracle(point));
      table.row(row.toArray());
    }
    return table.toString();
  }

  /** What the link carried, in MB, a line for each point. */
  String bytes(String figure) {
    List<String> titles = new ArrayList<>(List.of("queries", "Mbit/s", "proxy cores"));
    for (Pushdown pushdown : Pushdown.values()) {
      titles.add(pushdown.text() + " MB|%.3f");
    }
    titles.add("pushed / back, NearData");
    MarkdownTable table = new MarkdownTable(titles);
    for (NdpPoint point : points(figure)) {
      List<Object> row = start(point);
      for (Pushdown pushdown : Pushdown.values()) {
        row.add(linkBytes(point, pushdown) / MEGABYTE);
      }
      Measured run = of(point, Pushdown.NEAR_DATA).get(0).measured();
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
  String summary() {
    StringBuilder text = new StringBuilder();
    double sum = 0;
    double worst = 0;
    double worstExtreme = 0;
    List<NdpPoint> points = runs().stream().map(Run::point).distinct().toList();
    for (NdpPoint point : points) {
      double toOracle = slowdown(point, seconds(point, oracle(point)));
      double toExtreme =
          slowdown(point, Math.min(seconds(point, Pushdown.NONE), seconds(point, Pushdown.FULL)));
      sum += toOracle;
      worst = Math.max(worst, toOracle);
      worstExtreme = Math.max(worstExtreme, toExtreme);
    }
    text.append(
        format(
            "NearData takes %.3f of the oracle's time on average over %d points, %.3f at worst, and"
                + " %.3f of that of the better extreme at worst; where it is faster, it counts as"
                + " 1.%n",
            sum / points.size(), points.size(), worst, worstExtreme));
    for (NdpPoint point : points(NdpPoint.BANDWIDTH)) {
      if (point.queries().equals(List.of(LINEITEM_QUERY))) {
        Measured run = of(point, Pushdown.FULL).get(0).measured();
        text.append(
            format(
                "Q6 at full pushdown and %s Mbit/s: answers of %d bytes, %.4f %% of %.1f MB; the"
                    + " link carried %d bytes, %.4f %%.%n",
                number(point.megabits()),
                run.answerBytes(),
                100.0 * run.answerBytes() / lineitemBytes(),
                lineitemBytes() / MEGABYTE,
                run.linkBytes(),
                100.0 * run.linkBytes() / lineitemBytes()));
      }
    }
    return text.toString();
  }

  private double ratioToOracle(NdpPoint point) {
    return seconds(point, Pushdown.NEAR_DATA) / seconds(point, oracle(point));
  }

  /**
   * How much longer NearData takes; 1 where it is faster, so that no point makes up for another.
   */
  private double slowdown(NdpPoint point, double than) {
    return Math.max(1, seconds(point, Pushdown.NEAR_DATA) / than);
  }

  static String number(double value) {
    return value == Math.rint(value) ? format("%.0f", value) : Double.toString(value);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  List<NdpPoint> points(String figure) {
    return runs.stream()
        .map(Run::point)
        .filter(point -> point.figure().equals(figure))
        .distinct()
        .toList();
  }

  List<Run> of(NdpPoint point, Pushdown pushdown) {
    return runs.stream()
        .filter(run -> run.point().equals(point) && run.pushdown() == pushdown)
        .toList();
  }

  /** The median time at a point, in seconds. */
  double seconds(NdpPoint point, Pushdown pushdown) {
    return Summary.of(of(point, pushdown), Run::seconds).median();
  }

  /** The median of what the link carried, in bytes. */
  double linkBytes(NdpPoint point, Pushdown pushdown) {
    return Summary.of(of(point, pushdown), Run::linkBytes).median();
  }

  Pushdown oracle(NdpPoint point) {
    Pushdown best = Pushdown.NONE;
    for (Pushdown pushdown : Pushdown.fixed()) {
      if (seconds(point, pushdown) < seconds(point, best)) {
        best = pushdown;
      }
    }
    return best;
  }

  /** Conditions of all pushdowns: millions of bits per second, and plans that a proxy runs. */
  record NdpPoint(String figure, double megabits, int proxyCores, List<Integer> queries) {
    /** Queries one at a time over networks of several rates. */
    static final String BANDWIDTH = "bandwidth";

    /** Several queries at a time, and proxies of several sizes. */
    static final String CONCURRENCY = "concurrency";

    NdpPoint {
      queries = List.copyOf(queries);
    }

    String queriesText() {
      return queries.stream().map(number -> "Q" + number).collect(Collectors.joining(" "));
    }

    Condition condition() {
      return new Condition(megabits, proxyCores, queries, Duration.ZERO);
    }

    String describe() {
      return "%s, %s Mbit/s, %s proxy core(s)"
          .formatted(queriesText(), number(megabits), proxyCores);
    }
  }
}
