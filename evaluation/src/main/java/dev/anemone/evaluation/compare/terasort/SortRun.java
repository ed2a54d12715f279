// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * A side that has sorted, or has not.
 *
 * @param nodeLost whether a node was to be lost meanwhile
 * @param seconds of the whole process
 * @param problem empty if the result was right
 */
record SortRun(String side, int run, boolean nodeLost, double seconds, String problem) {
  static final String PEER = "Spark";

  boolean right() {
    return problem.isEmpty();
  }

  String describe() {
    return String.format(
        Locale.ROOT,
        "run %d%s, %s: %s",
        run,
        nodeLost ? " with a lost node" : "",
        side,
        right() ? String.format(Locale.ROOT, "%.1f s", seconds) : problem);
  }

  /** What was wrong, a line for each run. */
  static String problems(List<SortRun> runs) {
    return runs.stream()
        .filter(run -> !run.right())
        .map(SortRun::describe)
        .collect(Collectors.joining("\n"));
  }

  /** A line for each side, usual and with a lost node; a side with a wrong run has no figure. */
  static MarkdownTable table(List<SortRun> runs) {
    MarkdownTable table =
        new MarkdownTable(
            "side; node lost; runs; right; median s|%.1f; min s|%.1f; max s|%.1f; of Spark's|%.2f");
    for (boolean lost : new boolean[] {false, true}) {
      Optional<Summary> peer = summary(of(runs, PEER, lost));
      for (String side : runs.stream().map(SortRun::side).distinct().sorted().toList()) {
        List<SortRun> its = of(runs, side, lost);
        if (!its.isEmpty()) {
          Optional<Summary> found = summary(its);
          table.row(
              side,
              lost ? "yes" : "no",
              its.size(),
              its.stream().filter(SortRun::right).count(),
              figure(found.map(Summary::median)),
              figure(found.map(Summary::min)),
              figure(found.map(Summary::max)),
              figure(found.flatMap(one -> peer.map(other -> one.median() / other.median()))));
        }
      }
    }
    return table;
  }

  private static Optional<Summary> summary(List<SortRun> runs) {
    return !runs.isEmpty() && runs.stream().allMatch(SortRun::right)
        ? Optional.of(Summary.of(runs, SortRun::seconds))
        : Optional.empty();
  }

  private static OptionalDouble figure(Optional<Double> figure) {
    return figure.map(OptionalDouble::of).orElse(OptionalDouble.empty());
  }

  private static List<SortRun> of(List<SortRun> runs, String side, boolean lost) {
    return runs.stream().filter(run -> run.side().equals(side) && run.nodeLost() == lost).toList();
  }
}
