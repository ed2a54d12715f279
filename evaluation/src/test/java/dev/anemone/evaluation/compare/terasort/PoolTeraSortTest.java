// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.compare.terasort.PoolTeraSort.SweepFigures;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sweep as a user runs it, on 1 MB. */
class PoolTeraSortTest {
  private static final SweepFigures.MemoryPoint ENOUGH = new SweepFigures.MemoryPoint(256, 64);
  private static final SweepFigures.MemoryPoint TOO_LITTLE = new SweepFigures.MemoryPoint(8, 64);

  @TempDir private Path directory;

  @Test
  void findsTheMemoryWithWhichEachSideFinishes() throws Exception {
    Trial trial =
        Trial.of(directory, "pool-terasort", "--bytes=1m", "--memory=" + ENOUGH + "," + TOO_LITTLE);
    SweepFigures figures = trial.figures(SweepFigures.class);

    for (String side : List.of(PoolTeraSort.FILES, PoolTeraSort.POOL)) {
      assertThat(figures.seconds(side, ENOUGH)).as("%s of %s", side, figures.sorts()).isPresent();
      assertThat(figures.seconds(side, TOO_LITTLE)).as(side).isEmpty();
      assertThat(figures.leastMegabytes(side)).as(side).hasValue(ENOUGH.megabytes());
    }
    assertThat(trial.out())
        .containsPattern("\\| 8:64 +\\| did not finish \\| did not finish \\|")
        .containsPattern("\\| least MB +\\| +320 \\| +320 \\|");
    assertThat(trial.results().resolve("input")).doesNotExist();
    assertThat(trial.results().resolve("sorted")).doesNotExist();
  }
}
