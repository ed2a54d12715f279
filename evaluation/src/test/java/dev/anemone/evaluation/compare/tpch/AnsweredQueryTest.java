// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.compare.tpch.TpchComparison.AnsweredQuery;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.peer.InterleavedRuns;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.MeasuredRun;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.RunnerSetup;
import dev.anemone.examples.tpch.Tpch;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnsweredQueryTest {
  private static final double SCALE = 0.001;

  @TempDir private Path directory;

  @Test
  void runsAreMeasuredAndAFailedRunnerHasNoFurtherRuns() throws Exception {
    Path data = directory.resolve("data");
    assertThat(TpchDataSet.open(data, SCALE)).isNotNull();
    List<MeasuredRun> runs =
        new InterleavedRuns(directory, Tpch.class, List.of("-Xmx512m"), Duration.ofMinutes(3))
            .run(
                new AnsweredQuery(
                    TpchQuery.byNumber(6), List.of("--data=" + data, "--scale=" + SCALE)),
                List.of(runner("NemoRunner"), runner("MissingRunner")),
                2,
                run -> {});
    assertThat(runs)
        .extracting(MeasuredRun::runner)
        .containsExactly("NemoRunner", "MissingRunner", "NemoRunner");
    assertThat(runs).extracting(MeasuredRun::succeeded).containsExactly(true, false, true);
    assertThat(runs.get(0).cost().userCpuSeconds()).isBetween(0.1, 180.0);
    assertThat(runs.get(1).outcome()).contains("failed with exit code 1", "MissingRunner");
    assertThat(directory.resolve("q06-NemoRunner-1")).doesNotExist();
    assertThat(directory.resolve("q06-MissingRunner-1.log")).exists();
  }

  @Test
  void anAnswerThatDiffersFromTheFirstIsWrong() throws Exception {
    AnsweredQuery query = new AnsweredQuery(TpchQuery.byNumber(6), List.of());
    Path answer = directory.resolve("q06.csv");
    Files.writeString(answer, "revenue\n10.00\n");
    assertThat(query.problem(directory)).isEmpty();
    assertThat(query.problem(directory)).isEmpty();
    Files.writeString(answer, "revenue\n11.00\n");
    assertThat(query.problem(directory)).get().asString().startsWith("another answer than the");
  }

  private static RunnerSetup runner(String runner) throws Exception {
    return new RunnerSetup(
        runner,
        System.getProperty("java.class.path"),
        NemoJvm.options(),
        List.of("--runner=" + runner));
  }
}
