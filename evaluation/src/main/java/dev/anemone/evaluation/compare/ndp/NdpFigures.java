// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.passes.pushdown.StoragePushdownPass;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The raw figures, as they are written to a file.
 *
 * @param lineitemBytes size of the largest table
 */
record NdpFigures(double scale, int nodes, long lineitemBytes, List<Run> runs) {
  /**
   * One run of the queries of a point. All answers were right.
   *
   * @param seconds mean over the queries, each from when the runner got the pipeline until that was
   *     done
   * @param linkBytes that the throttled link has carried, with headers
   * @param answerBytes of proxies
   * @param splitsPushed splits of which a proxy ran some operators
   * @param splitsPushedBack splits that a proxy was asked for in vain
   */
  record Run(
      NdpPoint point,
      Pushdown pushdown,
      int round,
      double loadBefore,
      double seconds,
      long linkBytes,
      long answerBytes,
      long readBytes,
      long splitsPushed,
      long splitsPushedBack) {}

  /** The points of a figure, in the order of their first runs. */
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

  /** The fixed pushdown that was fastest at a point. */
  Pushdown oracle(NdpPoint point) {
    Pushdown best = Pushdown.NONE;
    for (Pushdown pushdown : Pushdown.fixed()) {
      if (seconds(point, pushdown) < seconds(point, best)) {
        best = pushdown;
      }
    }
    return best;
  }

  /**
   * Conditions under which all pushdowns are compared.
   *
   * @param megabits rate of the link from the storage to the compute side, in millions of bits per
   *     second
   * @param proxyCores plans that a proxy runs at the same time
   */
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

    String describe() {
      return String.format(
          Locale.ROOT,
          "%s, %s Mbit/s, %d proxy core(s)",
          queriesText(),
          NdpTables.number(megabits),
          proxyCores);
    }
  }

  enum Pushdown {
    NONE("NoPushdown", StoragePushdownPass.Pushdown.NONE),
    FILTER("filter", StoragePushdownPass.Pushdown.FILTER),
    PROJECT("filter+project", StoragePushdownPass.Pushdown.PROJECT),
    FULL("FullPushdown", StoragePushdownPass.Pushdown.FULL),
    NEAR_DATA("NearData", StoragePushdownPass.Pushdown.NEAR_DATA);

    private final String text;
    private final StoragePushdownPass.Pushdown choice;

    Pushdown(String text, StoragePushdownPass.Pushdown choice) {
      this.text = text;
      this.choice = choice;
    }

    /** Those that do not look at anything; the oracle knows which one is best. */
    static List<Pushdown> fixed() {
      return Stream.of(values()).filter(pushdown -> pushdown != NEAR_DATA).toList();
    }

    String text() {
      return text;
    }

    List<String> options() {
      return List.of(
          "--optimizationPolicy=NearData",
          "--passOptions=pushdown=" + choice.name().toLowerCase(Locale.ROOT));
    }
  }
}
