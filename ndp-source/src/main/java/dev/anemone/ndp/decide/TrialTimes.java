// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import java.util.ArrayList;
import java.util.List;

/**
 * What queries with the first 1, 2, ... operators took of a sample. What they take on no rows is
 * taken as often on a whole split, and only the rest grows with its rows.
 */
public final class TrialTimes {

  /** By as much more must operators take with one more of them, or that is chance. */
  private static final double SIGNIFICANT = 0.25;

  private final List<Double> seconds = new ArrayList<>();
  private final List<Double> withoutRows = new ArrayList<>();

  /**
   * Adds a query with one operator more than the last one.
   *
   * @param seconds that it took
   * @param withoutRows seconds that it took on no rows
   */
  public void add(double seconds, double withoutRows) {
    this.seconds.add(seconds);
    this.withoutRows.add(withoutRows);
  }

  /**
   * What the queries take of a whole split, in their order; never less than the one before.
   *
   * @param extrapolation from the sample to the split
   * @param extraSeconds that each takes of the sample besides
   */
  public List<Double> ofSplit(SampleExtrapolation extrapolation, double extraSeconds) {
    List<Double> ofSplit = new ArrayList<>();
    double constant = 0;
    double ofRows = 0;
    for (int i = 0; i < seconds.size(); i++) {
      constant = Math.max(constant, withoutRows.get(i));
      double now = seconds.get(i) - withoutRows.get(i);
      ofRows = now > ofRows * (1 + SIGNIFICANT) ? now : ofRows;
      ofSplit.add(constant + extrapolation.proportional(ofRows + extraSeconds));
    }
    return ofSplit;
  }

  @Override
  public String toString() {
    return seconds + " s, and on no rows " + withoutRows + " s";
  }
}
