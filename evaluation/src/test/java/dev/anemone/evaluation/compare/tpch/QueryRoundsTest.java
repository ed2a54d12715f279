// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryRoundsTest {
  private static final double SCALE = 0.001;

  @TempDir private Path directory;

  @Test
  void runsAreMeasuredAndAFailedRunnerHasNoFurtherRuns() throws Exception {
    Path data = directory.resolve("data");
    TpchDataSet.open(data, SCALE);
    QueryRounds rounds =
        new QueryRounds(
            directory,
            List.of("--data=" + data, "--scale=" + SCALE),
            List.of("-Xmx512m"),
            Duration.ofMinutes(3));

    List<TpchFigures.Run> runs =
        rounds.run(
            List.of(TpchQuery.byNumber(6)),
            List.of(side("NemoRunner"), side("MissingRunner")),
            2,
            run -> {});

    assertThat(runs)
        .extracting(TpchFigures.Run::side)
        .containsExactly("NemoRunner", "MissingRunner", "NemoRunner");
    assertThat(runs.get(0).failure()).isEmpty();
    assertThat(runs.get(0).userCpuSeconds()).isBetween(0.1, 180.0);
    assertThat(runs.get(1).failure()).contains("failed with exit code 1", "MissingRunner");
    assertThat(runs.get(2).succeeded()).isTrue();
    assertThat(Files.exists(directory.resolve("q06-NemoRunner-1"))).isFalse();
    assertThat(directory.resolve("q06-MissingRunner-1.log")).exists();
  }

  private static Side side(String runner) throws Exception {
    return new Side(
        runner,
        System.getProperty("java.class.path"),
        NemoJvm.options(),
        List.of("--runner=" + runner));
  }
}
