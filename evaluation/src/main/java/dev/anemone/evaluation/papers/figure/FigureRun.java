// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.figure;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * One run of the command that repeats figures: what figures are told, and what they have measured
 * together. Used by one thread.
 */
public final class FigureRun {
  private final boolean full;
  private final Path directory;
  private final EvaluationDirectory evaluation;
  private final Consumer<String> progress;
  private final Map<Object, Object> measured = new HashMap<>();

  /**
   * @param full whether figures are to be as large as in the paper; else as small as shows the same
   * @param directory where figures are drawn
   * @param evaluation where programs and data are found
   * @param progress hears how far a figure is, in one line
   */
  public FigureRun(
      boolean full, Path directory, EvaluationDirectory evaluation, Consumer<String> progress) {
    this.full = full;
    this.directory = directory;
    this.evaluation = evaluation;
    this.progress = progress;
  }

  /** Whether figures are to be as large as in the paper; else as small as shows the same. */
  public boolean isFull() {
    return full;
  }

  /** Where figures are drawn; it is there. */
  public Path directory() {
    return directory;
  }

  /** Where programs and data are found. */
  public EvaluationDirectory evaluation() {
    return evaluation;
  }

  /** Says how far a figure is. */
  public void progress(String line) {
    progress.accept(line);
  }

  /**
   * What a measurement finds, which is made only once: figures of a paper may show the same runs.
   *
   * @param type names the measurement
   */
  public <M> M once(Class<M> type, Callable<M> measurement) throws Exception {
    return once(type, type, measurement);
  }

  /**
   * The same where there are several measurements of a type.
   *
   * @param name tells them apart
   */
  public <M> M once(Object name, Class<M> type, Callable<M> measurement) throws Exception {
    Object found = measured.get(name);
    if (found == null) {
      found = measurement.call();
      measured.put(name, found);
    }
    return type.cast(found);
  }
}
