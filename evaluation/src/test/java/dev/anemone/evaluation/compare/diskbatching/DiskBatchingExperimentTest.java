// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskbatching;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.OwnProgram;
import dev.anemone.evaluation.lab.disk.ThrottledDisk;
import dev.anemone.evaluation.lab.workload.ShuffleShape;
import dev.anemone.evaluation.lab.workload.Side;
import dev.anemone.evaluation.lab.workload.WorkloadProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on a small shuffle; what it finds says nothing. */
class DiskBatchingExperimentTest {
  private static final int READS_PER_SECOND = 2_000;

  @TempDir private Path results;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void bothPoliciesAreMeasuredOnTheThrottledDiskAndOnTheDiskAsItIs() throws Exception {
    Path disk = ThrottledDisk.directory();
    DiskBatchingPlan plan =
        new DiskBatchingPlan(
            results,
            disk,
            OwnProgram.classPath(),
            Side.both(List.of("--slots=2")),
            ShuffleShape.ofBytes(4, 4, 100_000, 1),
            1,
            READS_PER_SECOND,
            1,
            OwnProgram.jvmOptions());
    WorkloadProcess process =
        new WorkloadProcess(
            disk, OwnProgram.classPath(), OwnProgram.jvmOptions(), Duration.ofMinutes(3));

    DiskBatchingFigures figures =
        new DiskBatchingExperiment(
                plan, process, new PrintWriter(out, true), new PrintWriter(err, true))
            .run();

    assertThat(figures.runs())
        .extracting(run -> run.policy() + (run.throttled() ? " throttled" : ""))
        .containsExactly("Default throttled", "LargeShuffle throttled", "Default", "LargeShuffle");
    assertThat(figures.throttledRandomReads()).isBetween(1.0, 1.25 * READS_PER_SECOND);
    assertThat(out.toString())
        .contains("100,000 bytes, 4 producers and 4 consumers", "2,000 reads per second allowed")
        .containsPattern("\\| throttled \\| +LargeShuffle \\| +1 \\|")
        .containsPattern("\\| as it is +\\| +Default \\| +1 \\|");
    assertThat(err.toString()).contains("throttled: ", "throttled, round 1, Default: ");
    assertThat(
            new ObjectMapper()
                .readValue(
                    results.resolve(DiskBatchingExperiment.FIGURES_FILE).toFile(),
                    DiskBatchingFigures.class))
        .isEqualTo(figures);
  }
}
