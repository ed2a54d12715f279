// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.compare.tpch.TpchComparison.WarmRun;
import dev.anemone.evaluation.compare.tpch.TpchComparison.WholeRun;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueryTablesTest {
  private static final List<String> SIDES = List.of("NemoRunner", "DuckDB");

  @Test
  void mediansOfEachSideAreSummedUp() {
    List<WarmRun> runs =
        List.of(
            new WarmRun("NemoRunner", 1, 1, 4),
            new WarmRun("DuckDB", 1, 1, 1),
            new WarmRun("NemoRunner", 1, 2, 2),
            new WarmRun("DuckDB", 1, 2, 2),
            new WarmRun("NemoRunner", 6, 1, 1),
            new WarmRun("DuckDB", 6, 1, 0.5));
    assertThat(QueryTables.warm(SIDES, runs))
        .hasToString(
            """
            | query       | NemoRunner | DuckDB |
            |-------------|-----------:|-------:|
            | 1           |       3.00 |   1.50 |
            | 6           |       1.00 |   0.50 |
            | sum         |       4.00 |   2.00 |
            | sum / first |       1.00 |   0.50 |
            """);
  }

  @Test
  void processesHaveALineForEachSide() {
    List<WholeRun> runs =
        List.of(
            new WholeRun("NemoRunner", 6, 1, new ProcessCost(4, 6, 0, 1_000)),
            new WholeRun("DuckDB", 6, 1, new ProcessCost(1, 1, 0, 1_000)),
            new WholeRun("NemoRunner", 6, 2, new ProcessCost(2, 5, 0, 1_000)));
    assertThat(QueryTables.whole(SIDES, runs))
        .hasToString(
            """
            | process of query |       side | median s | min s | max s | user CPU s |
            |------------------|-----------:|---------:|------:|------:|-----------:|
            | 6                | NemoRunner |     3.00 |  2.00 |  4.00 |       5.50 |
            | 6                |     DuckDB |     1.00 |  1.00 |  1.00 |       1.00 |
            """);
  }
}
