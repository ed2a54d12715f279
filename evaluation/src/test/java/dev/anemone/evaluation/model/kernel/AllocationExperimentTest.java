// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

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

/** The experiment as a user runs it, on 20 MB. */
class AllocationExperimentTest {
  /** The smallest object has as many; what is made for each chunk or read is less. */
  private static final double MOST_BYTES_PER_RECORD = 16;

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();

  @Test
  void noPathAllocatesForEachRecord() throws Exception {
    AllocationPlan plan =
        new AllocationPlan(
            directory,
            OwnProgram.classPath(),
            50_000,
            200_000,
            5,
            16,
            List.of("tcp"),
            1,
            Duration.ofMinutes(2));

    AllocationFigures figures = new AllocationExperiment(plan, new PrintWriter(out, true)).run();

    assertThat(figures.paths())
        .extracting(AllocationFigures.PathFigures::label)
        .containsExactly("local files", "push", "pool, tcp");
    assertThat(figures.paths())
        .allSatisfy(
            path ->
                assertThat(figures.bytesPerRecord(path))
                    .as(path.label())
                    .isLessThan(MOST_BYTES_PER_RECORD));
    assertThat(out.toString()).containsPattern("\\| pool, tcp +\\| +1 \\|");
    assertThat(
            new ObjectMapper()
                .readValue(
                    directory.resolve(AllocationExperiment.FIGURES_FILE).toFile(),
                    AllocationFigures.class))
        .isEqualTo(figures);
  }
}
