// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.OwnProgram;
import dev.anemone.evaluation.lab.edges.EdgeFigures;
import dev.anemone.evaluation.lab.process.ReportingProcess;
import dev.anemone.evaluation.lab.workload.Side;
import dev.anemone.examples.tpch.TpchSkew;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on a few MB; what it finds says nothing. */
class SkewQ10ExperimentTest {
  private static final int TASKS = 4;

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void allPoliciesGiveTheSameAnswerAndAreMeasured() throws Exception {
    List<String> options = List.of("--parallelism=" + TASKS);

    SkewQ10Figures figures =
        experiment(
                List.of(Side.of("Default", options), Side.of("LargeShuffle", options)),
                List.of(Condition.asItIs(2)))
            .run();

    assertThat(figures.runs())
        .extracting(SkewQ10Figures.Run::policy)
        .containsExactly("Default", "LargeShuffle");
    assertThat(figures.runs())
        .allSatisfy(
            run -> {
              assertThat(run.jobSeconds()).isPositive().isLessThan(run.wallSeconds());
              assertThat(run.edges().counters()).isNotEmpty();
            });
    assertThat(out.toString())
        .contains("scale 0.01, skew customers=0.25:20,orders=0.25:20, 4 consumer tasks")
        .containsPattern("\\| as it is \\| +Default \\| +2 \\| +1 \\|")
        .containsPattern("\\| as it is \\| +LargeShuffle \\| +2 \\| +1 \\|");
    assertThat(err.toString()).contains("as it is, round 1, Default: ");
    assertThat(directory.resolve(SkewQ10Experiment.CHART_FILE)).isNotEmptyFile();
    assertThat(
            new ObjectMapper()
                .readValue(
                    directory.resolve(SkewQ10Experiment.FIGURES_FILE).toFile(),
                    SkewQ10Figures.class))
        .isEqualTo(figures);
  }

  @Test
  void aPolicyThatIsNotThereFailsTheExperiment() throws Exception {
    SkewQ10Experiment experiment =
        experiment(List.of(Side.of("NoSkew", List.of())), List.of(Condition.asItIs(2)));

    assertThatThrownBy(experiment::run)
        .isInstanceOf(ExperimentFailure.class)
        .hasMessageContaining("NoSkew");
  }

  private SkewQ10Experiment experiment(List<Side> sides, List<Condition> conditions)
      throws Exception {
    SkewQ10Plan plan =
        new SkewQ10Plan(
            directory,
            Path.of("target", "test-tpch", "skewed-0.01").toAbsolutePath(),
            0.01,
            TpchSkew.parse("customers=0.25:20,orders=0.25:20"),
            sides,
            TASKS,
            conditions,
            1,
            OwnProgram.jvmOptions());
    ReportingProcess process =
        new ReportingProcess(
            directory, OwnProgram.classPath(), OwnProgram.jvmOptions(), Duration.ofMinutes(3));
    return new SkewQ10Experiment(
        plan, process, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  @Test
  void aJobThatIsFasterThanItsLinksFailsTheExperiment() {
    Condition links = Condition.links(TASKS, 1_000_000);

    assertThatCode(() -> SkewQ10Experiment.requireCharged("run", links, job(2_000), TASKS))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> SkewQ10Experiment.requireCharged("run", links, job(1_999), TASKS))
        .isInstanceOf(ExperimentFailure.class)
        .hasMessageContaining("took 2.00 s, but its links need 2.00 s at least")
        .hasMessageContaining("anemone.taskReadBytesPerSecond");
    assertThatCode(
            () -> SkewQ10Experiment.requireCharged("run", Condition.asItIs(2), job(1), TASKS))
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
