// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.netspark;

import dev.anemone.evaluation.papers.figure.PaperFigure;
import java.util.List;

/** What the slides show: group-bys, the time that processors stand still, and PageRank. */
public final class NetSparkFigures {

  private NetSparkFigures() {}

  /** All of them. */
  public static List<PaperFigure> all() {
    return List.of(new GroupByTimes(), new BlockedTimes(), new PageRankTimes());
  }
}
