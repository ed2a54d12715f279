// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, with a few kills. */
class PoolKillsTest {
  @TempDir private Path directory;

  @Test
  void processesDieAndNoByteLeaksAndNoReadIsWrong() throws Exception {
    Trial trial =
        Trial.of(
            directory,
            "pool-kills",
            "--seed=4",
            "--kills=6",
            "--servers=2",
            "--clients=2",
            "--deadline=180");
    PoolKills.Figures figures = trial.figures(PoolKills.Figures.class);

    assertThat(figures.serverKills() + figures.clientKills()).isEqualTo(6);
    assertThat(figures.serverKills()).isBetween(1, 5);
    assertThat(figures.wrong()).isEmpty();
    assertThat(figures.missing()).isEmpty();
    assertThat(figures.leakedBytes()).isZero();
    assertThat(figures.isRight()).isTrue();
    assertThat(figures.right()).as("reads").isPositive();
    assertThat(trial.err()).contains("Seed 4");
    assertThat(trial.out()).containsPattern("\\| 6 +\\|");
  }
}
