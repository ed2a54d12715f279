// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on a text of 400 KB; what it finds says nothing. */
@Tag("nightly")
class ClockCostTest {

  @TempDir private Path directory;

  @Test
  void wordsAreCountedInTurnWithClocksAndWithout() throws Exception {
    Trial trial =
        Trial.of(
            directory,
            "clock-cost",
            "--bytes=400000",
            "--producers=4",
            "--words=1000",
            "--runs=1",
            "--heap=512m");

    assertThat(trial.exitCode()).as(trial.err()).isZero();
    assertThat(trial.err())
        .containsSubsequence(
            "round 1, clocks stand still: ", "s, correct", "round 1, clocks run: ", "s, correct");
    assertThat(trial.out()).contains("clocks stand still's time / this");
  }
}
