// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.figure;

/** A figure of a paper that is repeated here, with the paper's axes and series. */
public interface PaperFigure {

  /** What {@code --figure} takes, such as {@code sparkndp-5}. */
  String id();

  /** What the figure asks. */
  String question();

  /** How long it takes on two processors at the small scale, at least 1. */
  int minutes();

  /** Whether it needs root's rights. */
  default boolean needsRoot() {
    return false;
  }

  /** Repeats it, and draws it in the run's directory. */
  FigureOutcome repeat(FigureRun run) throws Exception;
}
