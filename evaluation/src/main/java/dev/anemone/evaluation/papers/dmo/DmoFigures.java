// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import dev.anemone.evaluation.papers.dmo.SweepFigure.Shown;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import java.util.ArrayList;
import java.util.List;

/** What is repeated of the paper's figures and tables. */
public final class DmoFigures {

  private DmoFigures() {}

  /** Figures 1 to 4, Tables II and III, and Figures 7 to 10. */
  public static List<PaperFigure> all() {
    List<PaperFigure> figures = new ArrayList<>();
    for (UseOverTime.Shown shown : UseOverTime.Shown.values()) {
      figures.add(new UseOverTime(shown));
    }
    figures.add(new TaskInputs());
    figures.add(new OneSidedRates());
    figures.add(new WorkloadTable());
    for (Shown shown : Shown.values()) {
      for (Kind kind : Kind.values()) {
        figures.add(new SweepFigure(shown, kind));
      }
    }
    figures.add(new ClientRates());
    return List.copyOf(figures);
  }
}
