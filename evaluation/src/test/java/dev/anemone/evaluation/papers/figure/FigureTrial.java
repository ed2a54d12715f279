// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.figure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Repeats figures with the class path of the tests, and files below a directory of its own.
 *
 * @param run what figures are told
 * @param said lines in which they said how far they were
 */
public record FigureTrial(FigureRun run, List<String> said) {

  /** A trial at the small scale. */
  public static FigureTrial in(Path directory) throws IOException {
    Path target = Files.createDirectories(directory.resolve("evaluation/target"));
    Files.writeString(target.resolve("runtime.classpath"), System.getProperty("java.class.path"));
    List<String> said = new ArrayList<>();
    return new FigureTrial(
        new FigureRun(false, target, new EvaluationDirectory(target.getParent()), said::add), said);
  }

  /** Repeats a figure; fails when its table, its picture or what it says is not complete. */
  public FigureOutcome draw(PaperFigure figure) throws Exception {
    FigureOutcome outcome = figure.repeat(run);
    assertThat(outcome.id()).isEqualTo(figure.id());
    assertThat(run.directory().resolve(outcome.chart())).isNotEmptyFile();
    assertThat(outcome.points())
        .isNotEmpty()
        .allSatisfy(point -> assertThat(point.values()).hasSize(outcome.columns().size() - 1));
    assertThat(outcome.claims()).isNotEmpty().allMatch(claim -> !claim.ours().isBlank());
    return outcome;
  }

  /** The same; fails when there are more or fewer points. */
  public FigureOutcome draw(PaperFigure figure, int points) throws Exception {
    FigureOutcome outcome = draw(figure);
    assertThat(outcome.points()).hasSize(points);
    return outcome;
  }
}
