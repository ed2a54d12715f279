// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.pushwires;

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

/** The experiment as a user runs it, on 4 MB. */
class PushWiresExperimentTest {
  private static final long BYTES = 4 << 20;

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();

  @Test
  void everyWireIsMeasuredInTurn() throws Exception {
    PushWiresPlan plan =
        new PushWiresPlan(
            directory,
            OwnProgram.classPath(),
            BYTES,
            List.of("netty", "tcp"),
            2,
            Duration.ofMinutes(2));

    PushWiresFigures figures = new PushWiresExperiment(plan, new PrintWriter(out, true)).run();

    assertThat(figures.notMeasured()).isEmpty();
    assertThat(figures.wires())
        .extracting(PushWiresFigures.Wire::name)
        .containsExactly("netty", "tcp");
    assertThat(figures.wires())
        .allSatisfy(
            wire -> {
              assertThat(wire.tasks()).hasSize(2);
              assertThat(wire.tasks())
                  .allSatisfy(task -> assertThat(task.batches()).isGreaterThan(4));
              assertThat(wire.seconds().median()).isPositive();
            });
    assertThat(out.toString()).containsPattern("\\| tcp +\\| +2 \\|");
    assertThat(
            new ObjectMapper()
                .readValue(
                    directory.resolve(PushWiresExperiment.FIGURES_FILE).toFile(),
                    PushWiresFigures.class))
        .isEqualTo(figures);
  }
}
