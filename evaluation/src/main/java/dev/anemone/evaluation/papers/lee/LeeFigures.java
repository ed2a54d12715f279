// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.lee;

import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.examples.tpch.TpchSkew;
import java.util.List;

/** The figures of chapter 5. */
public final class LeeFigures {

  /** Twenty customers have a quarter of the orders, and twenty orders a quarter of the items. */
  static final TpchSkew SKEW = TpchSkew.parse("customers=0.25:20,orders=0.25:20");

  private LeeFigures() {}

  /** Figures 5.1 to 5.5. */
  public static List<PaperFigure> all() {
    return List.of(
        new ShuffleTimes(),
        new DiskRates(),
        new SampledShares(),
        new SkewedQueryTimes(),
        new JoinInputs());
  }
}
