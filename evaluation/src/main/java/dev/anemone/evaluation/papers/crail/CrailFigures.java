// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.crail;

import dev.anemone.evaluation.papers.figure.PaperFigure;
import java.util.List;

/** What the slides show. */
public final class CrailFigures {

  private CrailFigures() {}

  /** All of them. */
  public static List<PaperFigure> all() {
    return List.of(
        new BroadcastTimes(),
        new GroupByTimes(),
        new SortRates(),
        new NetworkUse(),
        new JoinTimes(),
        new StoredSort(StoredSort.Shown.TIERS),
        new StoredSort(StoredSort.Shown.APART));
  }
}
