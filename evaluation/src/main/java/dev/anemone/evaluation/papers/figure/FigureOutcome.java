// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.figure;

import java.util.List;

/**
 * What came of repeating a figure.
 *
 * @param id of the figure
 * @param setUp what was run, and what of it is not the paper's
 * @param columns titles of the table, the first that of the x axis, the others of the series
 * @param points rows of the table
 * @param claims what the paper says of the figure
 * @param chart name of the picture
 */
public record FigureOutcome(
    String id,
    String setUp,
    List<String> columns,
    List<Point> points,
    List<Claim> claims,
    String chart) {

  /**
   * A row of the table.
   *
   * @param x as the axis names it
   * @param values of the series, in their order
   */
  public record Point(String x, List<Double> values) {}

  /**
   * Something that the paper says of the figure.
   *
   * @param paper what the paper says, with its number where it has one
   * @param ours the same number of ours
   * @param holds whether ours is as the paper says
   */
  public record Claim(String paper, String ours, boolean holds) {}

  /** How much of what the paper says holds here. */
  public Verdict verdict() {
    long holding = claims.stream().filter(Claim::holds).count();
    if (holding == claims.size()) {
      return Verdict.REPRODUCED;
    }
    return holding > 0 ? Verdict.PARTLY : Verdict.NOT;
  }

  /** All that the paper says holds here, some of it, or nothing. */
  public enum Verdict {
    REPRODUCED("reproduced"),
    PARTLY("partly"),
    NOT("not");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
