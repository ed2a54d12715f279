// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.sparkndp;

import dev.anemone.evaluation.lab.neardata.Pushdown;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How long the same queries took under each pushdown: a group of bars.
 *
 * @param label of the group
 */
record PushdownTimes(String label, List<Run> runs) {

  /** As near to the best as the paper's rule is to count as near. */
  private static final double NEAR = 1.10;

  /** One run, by its mean time. */
  record Run(Pushdown pushdown, double seconds) {}

  /** Titles of a table of groups. */
  static List<String> columns(String groups) {
    List<String> columns = new ArrayList<>(List.of(groups));
    for (Pushdown pushdown : Pushdown.values()) {
      columns.add(pushdown.text());
    }
    columns.add("oracle");
    return columns;
  }

  /** A row of that table. */
  Point point() {
    List<Double> values = new ArrayList<>();
    for (Pushdown pushdown : Pushdown.values()) {
      values.add(seconds(pushdown));
    }
    values.add(seconds(oracle()));
    return new Point(label, values);
  }

  private List<Run> under(Pushdown pushdown) {
    return runs.stream().filter(run -> run.pushdown() == pushdown).toList();
  }

  /** The median. */
  double seconds(Pushdown pushdown) {
    return Summary.of(under(pushdown), Run::seconds).median();
  }

  double deviation(Pushdown pushdown) {
    return Summary.deviation(under(pushdown), Run::seconds);
  }

  /** The best of those that are fixed. */
  Pushdown oracle() {
    return Pushdown.fixed().stream().min(Comparator.comparingDouble(this::seconds)).orElseThrow();
  }

  /** The time of the better one of pushing all and nothing. */
  double betterExtreme() {
    return Math.min(seconds(Pushdown.NONE), seconds(Pushdown.FULL));
  }

  /** How much less time NearData takes than something else, in percent. */
  double gain(double than) {
    return 100 * (1 - seconds(Pushdown.NEAR_DATA) / than);
  }

  boolean isNearOracle() {
    return seconds(Pushdown.NEAR_DATA) <= NEAR * seconds(oracle());
  }
}
