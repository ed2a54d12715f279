// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on 20 MB. */
class ShuffleAllocationTest {
  /** The smallest object has as many; what is made for each chunk or read is less. */
  private static final double MOST_BYTES_PER_RECORD = 16;

  @TempDir private Path directory;

  @Test
  void noPathAllocatesForEachRecord() throws Exception {
    Trial trial =
        Trial.of(directory, "shuffle-allocation", "--records=200000", "--partitions=5", "--runs=1");
    ShuffleAllocation.Figures figures = trial.figures(ShuffleAllocation.Figures.class);

    assertThat(figures.paths())
        .extracting(ShuffleAllocation.PathFigures::label)
        .containsExactly("local files", "push", "pool, tcp");
    assertThat(figures.paths())
        .allSatisfy(
            path ->
                assertThat(figures.bytesPerRecord(path))
                    .as(path.label())
                    .isLessThan(MOST_BYTES_PER_RECORD));
    assertThat(trial.out()).containsPattern("\\| pool, tcp +\\| +1 \\|");
  }
}
