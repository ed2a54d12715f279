// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SortRunTest {
  @Test
  void sidesAreComparedWithSparkWhereAllTheirRunsAreRight() {
    List<SortRun> runs =
        List.of(
            new SortRun("NemoRunner, Default", 1, false, 8, ""),
            new SortRun("NemoRunner, Default", 1, true, 12, ""),
            new SortRun("Spark", 1, false, 10, ""),
            new SortRun("Spark", 1, true, 20, "killed after 20 s"),
            new SortRun("NemoRunner, Default", 2, false, 4, ""));

    assertThat(SortRun.table(runs))
        .hasToString(
            """
            | side                | node lost | runs | right | median s | min s | max s | of Spark's |
            |---------------------|----------:|-----:|------:|---------:|------:|------:|-----------:|
            | NemoRunner, Default |        no |    2 |     2 |      6.0 |   4.0 |   8.0 |       0.60 |
            | Spark               |        no |    1 |     1 |     10.0 |  10.0 |  10.0 |       1.00 |
            | NemoRunner, Default |       yes |    1 |     1 |     12.0 |  12.0 |  12.0 |          - |
            | Spark               |       yes |    1 |     0 |        - |     - |     - |          - |
            """);
    assertThat(SortRun.problems(runs))
        .isEqualTo("run 1 with a lost node, Spark: killed after 20 s");
  }
}
