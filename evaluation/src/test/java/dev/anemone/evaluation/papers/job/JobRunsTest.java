// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobRunsTest {

  @TempDir private Path directory;

  @Test
  void pausesAreAddedUpAndWhatGoesOnBesideIsNot() throws Exception {
    Path log =
        Files.write(
            directory.resolve("gc.log"),
            List.of(
                "Using G1",
                "GC(0) Pause Young (Normal) (G1 Evacuation Pause) 23M->5M(256M) 3.250ms",
                "GC(1) Concurrent Mark Cycle 12.0ms",
                "GC(1) Pause Remark 8M->8M(40M) 1.750ms"));
    assertThat(JobRuns.pauseSeconds(log)).isCloseTo(0.005, within(1e-9));
  }
}
