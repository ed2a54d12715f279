// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison as a user runs it, on a text of 300 KB and with the smallest of the peers. */
class ComparisonTest {
  private static final String FIGURE = " +[0-9.]+ \\|";

  /** Few, since the DirectRunner takes milliseconds for every one of them. */
  private static final int DISTINCT_WORDS = 20;

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void nemoRunnerAndDirectRunnerCountEveryWordAndAreMeasured() throws Exception {
    boolean correct = compare(List.of(TestRunners.nemo(), TestRunners.direct()));

    assertThat(correct).as(err.toString()).isTrue();
    assertThat(err.toString())
        .containsSubsequence(
            "round 1, NemoRunner: ", "s, correct", "round 1, DirectRunner: ", "s, correct");
    assertThat(out.toString()).contains(" bytes, ", " words, ", "| median s |");
    for (String runner : List.of("NemoRunner  ", "DirectRunner")) {
      assertThat(out.toString()).containsPattern("\\| " + runner + " \\|" + FIGURE.repeat(7));
    }
    ComparisonFigures figures = figures();
    assertThat(figures.textBytes()).isBetween(300_000L, 300_020L);
    assertThat(figures.distinctWords()).isEqualTo(DISTINCT_WORDS);
    assertThat(figures.jvmOptions()).containsExactly("-Xmx512m");
    assertThat(figures.runs())
        .extracting(ComparisonFigures.Run::runner)
        .containsExactly("NemoRunner", "DirectRunner");
    assertThat(figures.runs())
        .allSatisfy(
            run -> {
              assertThat(run.outcome()).isEqualTo("correct");
              assertThat(run.wallSeconds()).isBetween(0.1, 180.0);
              assertThat(run.userCpuSeconds()).isBetween(0.1, 180.0);
              assertThat(run.peakResidentBytes()).isBetween(50_000_000L, 2_000_000_000L);
            });
  }

  @Test
  void aRunnerThatFailsIsReported() throws Exception {
    boolean correct = compare(List.of(TestRunners.missing()));

    assertThat(correct).isFalse();
    assertThat(err.toString()).contains("round 1, MissingRunner: ", "failed with exit code 1");
    assertThat(out.toString()).containsPattern("\\| MissingRunner \\| +1 \\| +failed \\|");
    assertThat(figures().runs())
        .singleElement()
        .extracting(ComparisonFigures.Run::outcome)
        .asString()
        .contains("failed with exit code 1");
  }

  private ComparisonFigures figures() throws Exception {
    return new ObjectMapper()
        .readValue(directory.resolve(Comparison.FIGURES_FILE).toFile(), ComparisonFigures.class);
  }

  private boolean compare(List<RunnerSetup> runners) throws Exception {
    ComparisonPlan plan =
        new ComparisonPlan(
            directory,
            300_000,
            1,
            DISTINCT_WORDS,
            1,
            runners,
            1,
            List.of("-Xmx512m"),
            Duration.ofMinutes(3));
    return new Comparison(plan, new PrintWriter(out), new PrintWriter(err)).run();
  }
}
