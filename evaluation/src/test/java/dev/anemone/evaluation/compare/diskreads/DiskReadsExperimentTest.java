// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskreads;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.OwnProgram;
import dev.anemone.evaluation.lab.workload.Side;
import dev.anemone.evaluation.lab.workload.WorkloadProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, with few tasks. */
class DiskReadsExperimentTest {
  private static final int TASKS = 6;

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void readsGrowWithTheProductOfTheTasksAndWithBatchingWithTheConsumersAlone() throws Exception {
    WorkloadProcess process =
        new WorkloadProcess(
            directory, OwnProgram.classPath(), OwnProgram.jvmOptions(), Duration.ofMinutes(3));

    DiskReadsFigures figures =
        new DiskReadsExperiment(
                directory, process, new PrintWriter(out, true), new PrintWriter(err, true))
            .run(Side.both(List.of("--slots=2")), List.of(TASKS), 2_000, 1);

    assertThat(figures.runs())
        .extracting(DiskReadsFigures.Run::policy)
        .containsExactly("Default", "LargeShuffle");
    DiskReadsFigures.Run unbatched = figures.runs().get(0);
    DiskReadsFigures.Run batched = figures.runs().get(1);
    assertThat(unbatched.seeks()).isEqualTo(TASKS * TASKS).isEqualTo(unbatched.blocks());
    assertThat(batched.seeks()).isBetween((long) TASKS, 2L * TASKS);
    assertThat(batched.pushedBytes() + batched.fallenBackBytes())
        .as("all bytes went to aggregation tasks")
        .isGreaterThanOrEqualTo(batched.shuffledBytes());
    assertThat(batched.readBytes()).isGreaterThanOrEqualTo(batched.shuffledBytes());

    assertThat(out.toString())
        .contains("2,000 bytes from each producer for each consumer")
        .containsPattern("\\| Default +\\| +6 \\| +6 \\| +36 \\|")
        .containsPattern("\\| LargeShuffle +\\| +6 \\| +6 \\| +36 \\|");
    assertThat(err.toString()).contains("6 x 6, Default: 36 seeks");
    assertThat(directory.resolve(DiskReadsExperiment.CHART_FILE)).isNotEmptyFile();
    assertThat(
            new ObjectMapper()
                .readValue(
                    directory.resolve(DiskReadsExperiment.FIGURES_FILE).toFile(),
                    DiskReadsFigures.class))
        .isEqualTo(figures);
  }
}
