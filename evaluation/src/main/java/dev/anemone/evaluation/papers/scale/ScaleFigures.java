// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.scale;

import dev.anemone.evaluation.papers.figure.PaperFigure;
import java.util.Arrays;
import java.util.List;

/** Figures of no paper: how jobs grow. */
public final class ScaleFigures {

  private ScaleFigures() {}

  /** One for each thing that grows. */
  public static List<PaperFigure> all() {
    return Arrays.stream(Axis.values()).<PaperFigure>map(GrowthFigure::new).toList();
  }
}
