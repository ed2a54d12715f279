// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.compare.skewq10.QueryProgram.QueryReport;
import dev.anemone.evaluation.compare.skewq10.SkewQ10Figures.Condition;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.edges.EdgeFigures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on a few MB; what it finds says nothing. */
class SkewQ10Test {
  private static final int TASKS = 4;

  @TempDir private Path directory;

  @Test
  @Tag("nightly")
  void allPoliciesGiveTheSameAnswerAndAreMeasured() throws Exception {
    Trial trial = run("Default,LargeShuffle", 2, "--read-rate=0");
    SkewQ10Figures figures = trial.figures(SkewQ10Figures.class);

    assertThat(figures.runs())
        .extracting(SkewQ10Figures.Run::policy)
        .containsExactly("Default", "LargeShuffle", "LargeShuffle", "Default");
    assertThat(figures.runs())
        .allSatisfy(
            run -> {
              assertThat(run.jobSeconds()).isPositive().isLessThan(run.cost().wallSeconds());
              assertThat(run.edges().counters()).isNotEmpty();
            });
    assertThat(trial.out())
        .contains("scale 0.01, skew customers=0.25:20,orders=0.25:20, 4 consumer tasks")
        .containsPattern("\\| as it is \\| +Default \\| +2 \\| +2 \\|")
        .containsPattern("\\| as it is \\| +LargeShuffle \\| +2 \\| +2 \\|");
    assertThat(trial.err()).contains("as it is, round 1, Default: ");
    assertThat(trial.results().resolve(SkewQ10.CHART_FILE)).isNotEmptyFile();
  }

  @Test
  void aPolicyThatIsNotThereFailsTheExperiment() throws Exception {
    Trial trial = run("NoSkew", 1, "--read-rate=0");
    assertThat(trial.exitCode()).isEqualTo(1);
    assertThat(trial.err()).contains("evaluation/run: The run NoSkew-as-it-is-1 failed");
  }

  @Test
  @Tag("nightly")
  void tasksWithLinksTakeAsLongAsTheirBytesDo() throws Exception {
    Trial trial = run("Default", 1, "--read-rate=100k");
    assertThat(trial.figures(SkewQ10Figures.class).runs())
        .extracting(run -> run.condition().isCharged())
        .containsExactly(false, true);
  }

  private Trial run(String policies, int rounds, String rate) throws IOException {
    return Trial.of(
        directory,
        "skew-q10",
        "--scale=0.01",
        "--policies=" + policies,
        "--parallelism=" + TASKS,
        "--runs=" + rounds,
        "--heap=512m",
        rate);
  }

  @Test
  void aJobThatIsFasterThanItsLinksFailsTheExperiment() {
    Condition links = Condition.links(TASKS, 1_000_000);

    assertThatCode(() -> SkewQ10.requireCharged("run", links, job(2_000), TASKS))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> SkewQ10.requireCharged("run", links, job(1_999), TASKS))
        .isInstanceOf(ExperimentFailure.class)
        .hasMessageContaining("took 2.00 s, but its links need 2.00 s at least")
        .hasMessageContaining("anemone.taskReadBytesPerSecond");
    assertThatCode(() -> SkewQ10.requireCharged("run", Condition.asItIs(2), job(1), TASKS))
        .doesNotThrowAnyException();
  }

  /** A job whose busiest edge needs two seconds of four links of 1 MB/s. */
  private static QueryReport job(long milliseconds) {
    return new QueryReport(
        milliseconds,
        "",
        new EdgeFigures(
            new TreeMap<>(
                Map.of(
                    "e1", new TreeMap<>(Map.of("diskReadBytes", 8_000_000L)),
                    "e2", new TreeMap<>(Map.of("diskReadBytes", 100L)))),
            new TreeMap<>()));
  }
}
