// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.compare.tpch.TpchComparison.WarmRun;
import dev.anemone.evaluation.lab.cluster.ExecutorOptions.Executors;
import dev.anemone.evaluation.lab.peer.CachedPySpark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on little data; its answers are compared with DuckDB's. */
@Tag("nightly")
class ClusterTpchTest {
  @TempDir private Path directory;

  @Test
  void queriesOfAnApplicationHaveTheRightAnswers() throws Exception {
    Trial trial = run("--queries=3,6", "--peers=none");

    ClusterTpch.Figures figures = trial.figures(ClusterTpch.Figures.class);
    assertThat(figures.executors()).isEqualTo(new Executors(2, 1280, 1));
    assertThat(figures.queries())
        .extracting(WarmRun::side, WarmRun::query, WarmRun::round)
        .containsExactly(tuple("NemoRunner", 3, 1), tuple("NemoRunner", 6, 1));
    assertThat(figures.queries()).allMatch(query -> query.seconds() > 0);
    assertThat(trial.out())
        .contains("TPC-H, scale 0.01, Parquet in HDFS, on YARN; 2 executors of 1280 MB and 1 core")
        .doesNotContain("The goal");
    assertThat(trial.results().resolve("work")).doesNotExist();
  }

  @Test
  void sparkHasTheSameContainers() throws Exception {
    CachedPySpark.linkInto(directory);

    Trial trial = run("--queries=6");

    assertThat(trial.figures(ClusterTpch.Figures.class).queries())
        .extracting(WarmRun::side, WarmRun::query)
        .containsExactly(tuple("NemoRunner", 6), tuple("Spark", 6));
    assertThat(trial.out()).containsPattern("at most 0.50 of Spark's time; it is [0-9]+\\.[0-9]+");
  }

  private Trial run(String... options) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "cluster-tpch",
                "--scale=0.01",
                "--runs=1",
                "--warm-up=0",
                "--nodes=2",
                "--executor-memory=1280m",
                "--heap=512m",
                "--deadline=240"));
    arguments.addAll(List.of(options));
    return Trial.of(directory, arguments.toArray(String[]::new));
  }
}
