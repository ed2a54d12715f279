// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.OwnProgram;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sweep as a user runs it, on 1 MB. */
class MemorySweepTest {
  private static final SweepPlan.MemoryPoint ENOUGH = new SweepPlan.MemoryPoint(256, 64);
  private static final SweepPlan.MemoryPoint TOO_LITTLE = new SweepPlan.MemoryPoint(8, 64);

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();

  @Test
  void findsTheMemoryWithWhichEachSideFinishes() throws Exception {
    SweepPlan plan =
        new SweepPlan(
            directory,
            OwnProgram.classPath(),
            10_000,
            List.of(ENOUGH, TOO_LITTLE),
            "tcp",
            64,
            NemoJvm.options(),
            List.of(),
            1,
            Duration.ofMinutes(5));

    SweepFigures figures = new MemorySweep(plan, new PrintWriter(out, true)).run();

    for (String side : List.of(MemorySweep.FILES, MemorySweep.POOL)) {
      assertThat(figures.seconds(side, ENOUGH)).as("%s of %s", side, figures.sorts()).isPresent();
      assertThat(figures.seconds(side, TOO_LITTLE)).as(side).isEmpty();
      assertThat(figures.leastMegabytes(side)).as(side).hasValue(ENOUGH.megabytes());
    }
    assertThat(out.toString())
        .containsPattern("\\| 8:64 +\\| did not finish \\| did not finish \\|")
        .containsPattern("\\| least MB +\\| +320 \\| +320 \\|");
    assertThat(directory.resolve(MemorySweep.FIGURES_FILE)).isNotEmptyFile();
    assertThat(directory.resolve("input")).doesNotExist();
    assertThat(directory.resolve("sorted")).doesNotExist();
  }
}
