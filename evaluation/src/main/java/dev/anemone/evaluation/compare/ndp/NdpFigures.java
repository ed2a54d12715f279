// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import dev.anemone.evaluation.lab.report.Summary;
import java.util.List;

/**
 * The raw figures, as they are written to a file.
 *
 * @param scale of the tables
 * @param nodes data nodes
 * @param lineitemBytes size of the largest table
 * @param runs in the order in which they ran
 */
record NdpFigures(double scale, int nodes, long lineitemBytes, List<Run> runs) {

  /**
   * One run of the queries of a point. All answers were right.
   *
   * @param round from 1
   * @param loadBefore of the machine; negative if not known
   * @param seconds mean over the queries, each from when the runner got the pipeline until that was
   *     done
   * @param linkBytes that the throttled link has carried, with headers
   * @param answerBytes of proxies
   * @param readBytes of files
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

  /** The runs at a point. */
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
}
