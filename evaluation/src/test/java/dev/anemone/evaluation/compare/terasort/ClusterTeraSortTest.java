// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.lab.peer.CachedPySpark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on little data; every result is validated. */
@Tag("nightly")
class ClusterTeraSortTest {
  @TempDir private Path directory;

  @Test
  void recordsAreSortedInContainers() throws Exception {
    Trial trial = run("--peers=none", "--policies=LargeShuffle", "--nodes=2");

    assertThat(trial.figures(ClusterTeraSort.Figures.class).runs())
        .extracting(SortRun::side, SortRun::nodeLost, SortRun::problem)
        .containsExactly(tuple("NemoRunner, LargeShuffle", false, ""));
    assertThat(trial.results().resolve("work")).doesNotExist();
  }

  @Test
  void theNodeWithMostIsLostMeanwhile() throws Exception {
    Trial trial =
        run("--peers=none", "--policies=LargeShuffle", "--nodes=3", "--kill-node=fullest");

    assertThat(trial.figures(ClusterTeraSort.Figures.class).runs())
        .extracting(SortRun::nodeLost, SortRun::problem)
        .containsExactly(tuple(false, ""), tuple(true, ""));
    assertThat(trial.err()).containsPattern("node\\d was lost, with [0-9,]+ MB");
  }

  @Test
  void sparkSortsTheSameRecords() throws Exception {
    CachedPySpark.linkInto(directory);

    Trial trial = run("--policies=Default", "--nodes=2");

    assertThat(trial.figures(ClusterTeraSort.Figures.class).runs())
        .extracting(SortRun::side, SortRun::problem)
        .containsExactly(tuple("NemoRunner, Default", ""), tuple("Spark", ""));
  }

  private Trial run(String... options) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "cluster-terasort",
                "--bytes=5m",
                "--executor-memory=1280m",
                "--heap=512m",
                "--deadline=240"));
    arguments.addAll(List.of(options));
    return Trial.of(directory, arguments.toArray(String[]::new));
  }
}
