// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.MeasuredRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.beam.sdk.util.ReleaseInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison as a user runs it, on a text of 300 KB and with the smallest of the peers. */
class WordCountComparisonTest {
  private static final String FIGURE = " +[0-9.]+ \\|";

  /** Few, since the DirectRunner takes milliseconds for every one of them. */
  private static final int DISTINCT_WORDS = 20;

  @TempDir private Path directory;

  @Test
  @Tag("nightly")
  void nemoRunnerAndDirectRunnerCountEveryWordAndAreMeasured() throws Exception {
    peerClassPath(TestRunners.classPathOfPeers());
    Trial trial = compare();
    WordCountCommand.Figures figures = trial.figures(WordCountCommand.Figures.class);
    assertThat(trial.err())
        .containsSubsequence(
            "round 1, NemoRunner: ", "s, correct", "round 1, DirectRunner: ", "s, correct");
    assertThat(trial.out()).contains(" bytes, ", " words, ", "| median s |");
    for (String runner : new String[] {"NemoRunner  ", "DirectRunner"}) {
      assertThat(trial.out()).containsPattern("\\| " + runner + " \\|" + FIGURE.repeat(7));
    }
    assertThat(figures.textBytes()).isBetween(300_000L, 300_020L);
    assertThat(figures.distinctWords()).isEqualTo(DISTINCT_WORDS);
    assertThat(figures.jvmOptions()).containsExactly("-Xmx512m");
    assertThat(figures.runs())
        .extracting(MeasuredRun::runner)
        .containsExactly("NemoRunner", "DirectRunner");
    assertThat(figures.runs())
        .allSatisfy(
            run -> {
              assertThat(run.succeeded()).isTrue();
              assertThat(run.cost().wallSeconds()).isBetween(0.1, 180.0);
              assertThat(run.cost().userCpuSeconds()).isBetween(0.1, 180.0);
              assertThat(run.cost().peakResidentBytes()).isBetween(50_000_000L, 2_000_000_000L);
            });
  }

  @Test
  void aRunnerThatFailsIsReported() throws Exception {
    peerClassPath(Files.createDirectory(directory.resolve("empty")).toString());
    Trial trial = compare();
    assertThat(trial.exitCode()).isEqualTo(1);
    assertThat(trial.err()).contains("round 1, DirectRunner: ", "failed with exit code 1");
    assertThat(trial.out()).containsPattern("\\| DirectRunner \\| +1 \\| +failed \\|");
    assertThat(Files.readString(trial.results().resolve("figures.json")))
        .contains("\"outcome\" : \"failed with exit code 1");
  }

  /** As if Maven had found the jars of the peer. */
  private void peerClassPath(String classPath) throws Exception {
    Path evaluation = directory.resolve("evaluation");
    Files.createDirectories(evaluation.resolve("peers/direct"));
    Files.createDirectories(evaluation.resolve("target/peers"));
    Files.writeString(evaluation.resolve("peers/direct/pom.xml"), "");
    Files.writeString(
        evaluation.resolve(
            "target/peers/direct-" + ReleaseInfo.getReleaseInfo().getVersion() + ".classpath"),
        classPath);
  }

  private Trial compare() throws Exception {
    return Trial.of(
        directory,
        "wordcount",
        "--bytes=300k",
        "--words=" + DISTINCT_WORDS,
        "--peers=direct",
        "--runs=1",
        "--heap=512m",
        "--deadline=180");
  }
}
