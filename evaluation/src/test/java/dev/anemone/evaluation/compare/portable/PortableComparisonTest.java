// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.portable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.MeasuredRun;
import dev.anemone.evaluation.lab.peer.PythonEnvironment;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.beam.sdk.util.ReleaseInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, without peers and on 100 KB; what it finds says nothing. */
@Tag("nightly")
class PortableComparisonTest {

  @TempDir private Path directory;

  /** That of other tests, if it is there: it takes a minute to make. */
  private static Path python() throws Exception {
    String given = System.getProperty("anemone.python", "");
    if (!given.isEmpty()) {
      return Path.of(given);
    }
    String requirement = "apache-beam==" + ReleaseInfo.getReleaseInfo().getVersion();
    Path cache = Path.of(System.getProperty("user.home"), ".cache", "anemone");
    try {
      return PythonEnvironment.with(requirement, cache.resolve("evaluation-" + requirement))
          .interpreter();
    } catch (ExperimentFailure | IOException e) {
      throw Requirement.PYTHON.missing(e.getMessage());
    }
  }

  @Test
  void wordsAreCountedByHarnessesOfAPool() throws Exception {
    Path peers = Files.createDirectories(directory.resolve("evaluation/peers"));
    Files.copy(Path.of("peers/portable_pipelines.py"), peers.resolve("portable_pipelines.py"));

    Trial trial =
        Trial.of(
            directory,
            "portable",
            "--peers=none",
            "--bytes=100k",
            "--words=1000",
            "--runs=1",
            "--heap=512m",
            "--python=" + python());

    PortableComparison.Figures figures = trial.figures(PortableComparison.Figures.class);
    assertThat(figures.pipelines())
        .extracting(PortableComparison.PipelineRuns::pipeline)
        .containsExactly("trivial", "wordcount");
    assertThat(figures.pipelines())
        .flatExtracting(PortableComparison.PipelineRuns::runs)
        .hasSize(2)
        .allMatch(MeasuredRun::succeeded);
    assertThat(trial.results().resolve("workers.log"))
        .content()
        .contains("Starting worker with command");
  }
}
