// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Figures as a user repeats them. */
class PapersTest {

  private static final int NO_PUSHDOWN = 0;
  private static final int FILTER = 1;
  private static final int ALL = 3;
  private static final int NET_AWARE = 4;
  private static final int ORACLE = 5;

  /** A figure at the head of a paragraph of the README; later ones leave the paper out. */
  private static final Pattern FIGURE =
      Pattern.compile("`(?<paper>[a-z]*)(?<figure>-[a-z0-9.-]+)`");

  private static final Set<String> PAPERS =
      Set.of("sparkndp", "lee", "dmo", "crail", "netspark", "scale");

  @TempDir private Path directory;

  @Test
  void listsWhatCanBeRepeated() throws Exception {
    Trial trial = Trial.of(directory, "papers");
    assertThat(trial.exitCode()).isZero();
    assertThat(trial.out())
        .contains(
            "papers --figure=sparkndp-5", "papers --figure=lee-5.1", "papers --figure=dmo-7a");
  }

  /** A figure that nobody put into the list is one that nobody can repeat. */
  @Test
  void listsEachFigureThatTheReadmeNames() throws Exception {
    Trial trial = Trial.of(directory, "papers");
    List<String> named = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("README.md"))) {
      if (line.startsWith("- `")) {
        String paper = "";
        Matcher figure = FIGURE.matcher(line.substring(0, line.indexOf(':') + 1));
        while (figure.find()) {
          paper = figure.group("paper").isEmpty() ? paper : figure.group("paper");
          named.add(paper + figure.group("figure"));
        }
      }
    }
    assertThat(named)
        .contains("sparkndp-7c", "sparkndp-8a", "sparkndp-9", "lee-5.2", "dmo-9c", "scale-skew")
        .filteredOn(figure -> PAPERS.contains(figure.substring(0, figure.indexOf('-'))))
        .allSatisfy(figure -> assertThat(trial.out()).contains("papers --figure=" + figure + " "));
  }

  /** The times are those of the bottleneck alone, which can be told without a simulation. */
  @Test
  void figureFiveOfSparkNdpIsReproduced() throws Exception {
    Trial trial = Trial.of(directory, "papers", "--figure=sparkndp-5");
    FigureOutcome outcome = trial.figures(Papers.Figures.class).outcomes().get(0);

    assertThat(outcome.verdict()).isEqualTo(FigureOutcome.Verdict.REPRODUCED);
    assertThat(trial.out()).contains("sparkndp-5: reproduced");
    assertThat(trial.results().resolve(outcome.chart())).isNotEmptyFile();
    for (Point point : outcome.points()) {
      int cores = Integer.parseInt(point.x());
      List<Double> seconds = point.values();
      double filter = 150e9 * 21 / (4 * cores * 2.27e9);
      double rest = 150e9 / 60 * (40 + 40) / (4 * cores * 2.27e9);
      assertThat(seconds.get(NO_PUSHDOWN)).isCloseTo(150e9 / 0.5e9, Percentage.withPercentage(2));
      assertThat(seconds.get(FILTER)).isCloseTo(filter, Percentage.withPercentage(3));
      assertThat(seconds.get(ALL)).isCloseTo(filter + rest, Percentage.withPercentage(3));
      assertThat(seconds.get(NET_AWARE)).isEqualTo(seconds.get(ORACLE));
    }
  }

  /** It is not known how the paper's rule was told the state of a busy system. */
  @Test
  void whatIsNotReproducedIsSaid() throws Exception {
    Trial trial = Trial.of(directory, "papers", "--figure=sparkndp-6");
    FigureOutcome outcome = trial.figures(Papers.Figures.class).outcomes().get(0);
    assertThat(outcome.verdict()).isEqualTo(FigureOutcome.Verdict.PARTLY);
    assertThat(trial.out()).contains(" NO |").contains("sparkndp-6: partly");
  }

  /**
   * Where queries queue up, too. A partition that comes late from the storage side must not wait
   * for later queries, or whatever is pushed loses.
   */
  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(strings = {"sparkndp-6", "sparkndp-7a", "sparkndp-7b"})
  void ourModelIsNotBehindTheBestFixedChoice(String figure) throws Exception {
    Trial trial = Trial.of(directory, "papers", "--figure=" + figure);
    FigureOutcome outcome = trial.figures(Papers.Figures.class).outcomes().get(0);
    int oracle = outcome.columns().indexOf("oracle") - 1;
    int nearData = outcome.columns().indexOf("NearData") - 1;
    assertThat(outcome.points())
        .isNotEmpty()
        .allSatisfy(
            point ->
                assertThat(point.values().get(nearData))
                    .isLessThanOrEqualTo(1.05 * point.values().get(oracle)));
  }
}
