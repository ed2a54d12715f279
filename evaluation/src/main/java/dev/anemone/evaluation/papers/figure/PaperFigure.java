// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.figure;

/** A figure of a paper that can be repeated. */
public interface PaperFigure {

  /** What {@code --figure} takes, such as {@code sparkndp-5}. */
  String id();

  /** What the figure asks. */
  String question();

  /** The command that repeats it, after {@code evaluation/run}. */
  String command();

  /** How long that takes on two processors at the small scale, at least 1. */
  int minutes();

  /** Whether it needs root's rights. */
  boolean needsRoot();

  /** How near to the paper's figure the repetition is. */
  Likeness likeness();

  /** How near a repetition is to its figure. */
  enum Likeness {
    /** Its axes and series are the paper's. */
    SAME,
    /** It asks the same, with other axes or parameters. */
    SIMILAR
  }

  /** A figure that is repeated here, and of which it can be said what came of it. */
  interface Repeated extends PaperFigure {

    /** Repeats it, and draws it in the run's directory. */
    FigureOutcome repeat(FigureRun run) throws Exception;

    @Override
    default String command() {
      return "papers --figure=" + id();
    }

    @Override
    default boolean needsRoot() {
      return false;
    }

    @Override
    default Likeness likeness() {
      return Likeness.SAME;
    }
  }

  /**
   * A figure that an experiment repeats, which prints what came of it.
   *
   * @param command of the experiment, words divided by one space
   */
  record ByExperiment(String id, String question, String command, int minutes, boolean needsRoot)
      implements PaperFigure {

    @Override
    public Likeness likeness() {
      return Likeness.SIMILAR;
    }
  }
}
