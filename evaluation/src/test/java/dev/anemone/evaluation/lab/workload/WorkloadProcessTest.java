// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.OwnProgram;
import dev.anemone.evaluation.lab.process.ReportingProcess;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.RecordTotals;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.ShuffleShape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadProcessTest {
  private static final Path LOG = Path.of("some.log");

  @TempDir private Path directory;

  @Test
  void aResultWithOtherRecordsFailsTheExperiment() {
    RecordTotals right = new SyntheticRecords(1_000, 1).totals();

    assertThatCode(() -> WorkloadProcess.requireRight("run", right, right, LOG))
        .doesNotThrowAnyException();
    for (RecordTotals wrong :
        List.of(
            new RecordTotals(right.records() - 1, right.groups(), right.checksum()),
            new RecordTotals(right.records(), right.groups() + 1, right.checksum()),
            new RecordTotals(right.records(), right.groups(), right.checksum() ^ 1))) {
      assertThatThrownBy(() -> WorkloadProcess.requireRight("run", wrong, right, LOG))
          .isInstanceOf(ExperimentFailure.class)
          .hasMessageContaining("shuffled wrong")
          .hasMessageContaining("some.log");
    }
  }

  @Test
  void aFailedRunSaysWhyAndLeavesNothingButItsLog() throws Exception {
    WorkloadProcess process =
        new WorkloadProcess(
            new ReportingProcess(
                directory, OwnProgram.classPath(), OwnProgram.jvmOptions(), Duration.ofMinutes(2)));
    assertThatThrownBy(
            () ->
                process.shuffle(
                    "refused",
                    new ShuffleShape(2, 2, 10, 1),
                    List.of("--slots=0"),
                    ReportingProcess.Setting.USUAL))
        .isInstanceOf(ExperimentFailure.class)
        .hasMessageContaining("failed with exit code 1")
        .hasMessageContaining("--slots=0");
    assertThat(directory).isDirectoryContaining("glob:**refused.log");
    assertThat(directory.resolve("refused")).doesNotExist();
  }
}
