// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.workload.ShuffleWorkload.WorkloadReport;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.RecordTotals;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WorkloadReportTest {

  @Test
  void edgesIntoAggregationTasksAreNotThoseOfTheConsumers() {
    WorkloadReport report =
        new WorkloadReport(
            new RecordTotals(0, 0, 0),
            new TreeMap<>(
                Map.of(
                    "e1",
                    new TreeMap<>(
                        Map.of("diskSeeks", 3L, "pushedBytes", 0L, "fallenBackBytes", 10L)),
                    "e1-relay",
                    new TreeMap<>(
                        Map.of("diskSeeks", 40L, "pushedBytes", 0L, "fallenBackBytes", 0L)),
                    "e2",
                    new TreeMap<>(
                        Map.of("diskSeeks", 500L, "pushedBytes", 7L, "fallenBackBytes", 0L)))));

    assertThat(report.ofConsumers("diskSeeks")).isEqualTo(40);
    assertThat(report.total("diskSeeks")).isEqualTo(543);
    assertThat(report.total("spills")).isZero();
  }
}
