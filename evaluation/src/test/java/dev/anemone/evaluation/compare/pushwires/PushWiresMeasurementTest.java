// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.pushwires;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on 4 MB. */
class PushWiresMeasurementTest {
  private static final long BYTES = 4 << 20;

  @TempDir private Path directory;

  @Test
  void everyWireIsMeasuredInTurn() throws Exception {
    Trial trial =
        Trial.of(directory, "push-wires", "--bytes=" + BYTES, "--wires=netty,tcp", "--runs=2");
    PushWiresMeasurement.Figures figures = trial.figures(PushWiresMeasurement.Figures.class);

    assertThat(figures.notMeasured()).isEmpty();
    assertThat(figures.wires())
        .extracting(PushWiresMeasurement.Wire::name)
        .containsExactly("netty", "tcp");
    assertThat(figures.wires())
        .allSatisfy(
            wire -> {
              assertThat(wire.tasks()).hasSize(2);
              assertThat(wire.tasks())
                  .allSatisfy(task -> assertThat(task.batches()).isGreaterThan(4));
              assertThat(wire.tasks())
                  .allSatisfy(task -> assertThat(task.wallNanos()).isPositive());
            });
    assertThat(trial.out()).containsPattern("\\| tcp +\\| +2 \\|");
  }
}
