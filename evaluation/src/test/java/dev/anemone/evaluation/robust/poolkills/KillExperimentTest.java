// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.OwnProgram;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, with a few kills. */
class KillExperimentTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();

  @Test
  void processesDieAndNoByteLeaksAndNoReadIsWrong() throws Exception {
    KillPlan plan =
        new KillPlan(
            directory,
            OwnProgram.classPath(),
            List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
            4,
            6,
            2,
            2,
            Duration.ofMinutes(3));

    KillFigures figures = new KillExperiment(plan, new PrintWriter(out, true)).run();

    assertThat(figures.serverKills() + figures.clientKills()).isEqualTo(6);
    assertThat(figures.serverKills()).isBetween(1, 5);
    assertThat(figures.wrong()).isEmpty();
    assertThat(figures.missing()).isEmpty();
    assertThat(figures.leakedBytes()).isZero();
    assertThat(figures.isRight()).isTrue();
    assertThat(figures.right()).as("reads").isPositive();
    assertThat(out.toString()).contains("Seed 4").containsPattern("\\| 6 +\\|");
    assertThat(
            new ObjectMapper()
                .readValue(
                    directory.resolve(KillExperiment.FIGURES_FILE).toFile(), KillFigures.class))
        .isEqualTo(figures);
  }
}
