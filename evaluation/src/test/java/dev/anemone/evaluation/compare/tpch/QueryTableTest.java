// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.compare.tpch.TpchComparison.Run;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.MeasuredRun;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueryTableTest {

  @Test
  void comparesMediansQueryByQueryAndLeavesOutWhatFailed() {
    List<Run> runs =
        List.of(
            run(1, "NemoRunner", 4, ""),
            run(1, "SparkRunner", 8, ""),
            run(1, "NemoRunner", 2, ""),
            run(1, "SparkRunner", 16, ""),
            run(6, "NemoRunner", 1, ""),
            run(6, "SparkRunner", 9, ""),
            run(9, "NemoRunner", 1, ""),
            run(9, "SparkRunner", 1, "failed with exit code 1"));

    assertThat(QueryTable.of(runs))
        .hasToString(
            """
| query               |      runner | runs | median s | min s | max s | user CPU s | time / first |
|---------------------|------------:|-----:|---------:|------:|------:|-----------:|-------------:|
| 1                   |  NemoRunner |    2 |     3.00 |  2.00 |  4.00 |       6.00 |         1.00 |
| 1                   | SparkRunner |    2 |    12.00 |  8.00 | 16.00 |      24.00 |         4.00 |
| 6                   |  NemoRunner |    1 |     1.00 |  1.00 |  1.00 |       2.00 |         1.00 |
| 6                   | SparkRunner |    1 |     9.00 |  9.00 |  9.00 |      18.00 |         9.00 |
| 9                   |  NemoRunner |    1 |     1.00 |  1.00 |  1.00 |       2.00 |         1.00 |
| 9                   | SparkRunner |    1 |   failed |     - |     - |          - |            - |
| geometric mean of 2 | SparkRunner |    - |        - |     - |     - |          - |         6.00 |
""");
  }

  private static Run run(int query, String side, double seconds, String failure) {
    return new Run(
        query,
        new MeasuredRun(
            side,
            1,
            0.1,
            failure.isEmpty() ? MeasuredRun.CORRECT : failure,
            new ProcessCost(seconds, seconds * 2, 0, 1_000)));
  }
}
