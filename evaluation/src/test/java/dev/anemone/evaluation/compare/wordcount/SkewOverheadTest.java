// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on a text of 400 KB; what it finds says nothing. */
@Tag("nightly")
class SkewOverheadTest {
  private static final int BYTES = 400_000;
  private static final int PRODUCERS = 40;

  @TempDir private Path directory;

  @Test
  void policiesCountEveryWordInTurnWithManyProducers() throws Exception {
    Trial trial =
        Trial.of(
            directory,
            "skew-overhead",
            "--bytes=" + BYTES,
            "--producers=" + PRODUCERS,
            "--words=1000",
            "--policies=Default,LargeShuffle",
            "--parallelism=4",
            "--nemo-option=--explain=text",
            "--runs=1",
            "--heap=512m");

    assertThat(trial.exitCode()).as(trial.err()).isZero();
    assertThat(trial.err())
        .containsSubsequence(
            "round 1, Default: ", "s, correct", "round 1, LargeShuffle: ", "s, correct");
    assertThat(trial.out()).contains("Default's time / this");
    String log = Files.readString(trial.results().resolve("Default-1.log"));
    assertThat(log).containsPattern("source .* parts=40#.* \\[Parallelism=40,");
  }
}
