// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.compare.skewq10.SkewQ10Figures.Condition;
import dev.anemone.evaluation.lab.edges.EdgeFigures;
import dev.anemone.evaluation.lab.edges.EdgeFigures.TaskReads;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SkewQ10FiguresTest {
  private static final Condition AS_IT_IS = Condition.asItIs(2);
  private static final Condition LINKS = Condition.links(8, 400_000);

  private final List<SkewQ10Figures.Run> runs = new ArrayList<>();

  @Test
  void timesAreComparedByTheirMediansUnderTheSameCondition() {
    add("Default", AS_IT_IS, Map.of(), 20, 22, 30);
    add("DataSkew", AS_IT_IS, Map.of(), 23.1, 23.1, 20);
    add("Default", LINKS, Map.of(), 60);
    add("DataSkew", LINKS, Map.of(), 42);

    assertThat(figures().times())
        .hasToString(
            """
| reads           |   policy | slots | runs | job median s | min s | max s | user CPU s | job time |
|-----------------|---------:|------:|-----:|-------------:|------:|------:|-----------:|---------:|
| as it is        |  Default |     2 |    3 |        22.00 | 20.00 | 30.00 |       5.00 |   +0.0 % |
| as it is        | DataSkew |     2 |    3 |        23.10 | 20.00 | 23.10 |       5.00 |   +5.0 % |
| 400 kB/s a task |  Default |     8 |    1 |        60.00 | 60.00 | 60.00 |       5.00 |   +0.0 % |
| 400 kB/s a task | DataSkew |     8 |    1 |        42.00 | 42.00 | 42.00 |       5.00 |  -30.0 % |
""");
  }

  @Test
  void readsAreThoseOfTheRunThatWasFarthestFromTheMean() {
    add(
        "Default",
        AS_IT_IS,
        Map.of(
            "e10", new TaskReads(8, 8_000_000, 500_000, 1_800_000),
            "e9", new TaskReads(8, 800, 100, 100),
            "e11", new TaskReads(1, 10, 10, 10)),
        20);
    add("DataSkew", AS_IT_IS, Map.of("e10", reads(1_100_000)), 20);
    add("DataSkew", LINKS, Map.of("e10", reads(1_200_000)), 20);
    add("DataSkew", LINKS, Map.of("e10", reads(1_050_000)), 20);

    assertThat(figures().reads())
        .hasToString(
            """
            | edge |   policy | tasks |   MB | mean MB | max MB | max/mean |
            |------|---------:|------:|-----:|--------:|-------:|---------:|
            | e9   |  Default |     8 | 0.00 |    0.00 |   0.00 |     1.00 |
            | e10  |  Default |     8 | 8.00 |    1.00 |   1.80 |     1.80 |
            | e10  | DataSkew |     8 | 8.00 |    1.00 |   1.20 |     1.20 |
            """);
  }

  private static TaskReads reads(long most) {
    return new TaskReads(8, 8_000_000, 900_000, most);
  }

  private SkewQ10Figures figures() {
    return new SkewQ10Figures(0.3, "", 8, List.of(), runs);
  }

  private void add(
      String policy, Condition condition, Map<String, TaskReads> reads, double... seconds) {
    for (double job : seconds) {
      runs.add(
          new SkewQ10Figures.Run(
              policy,
              condition,
              runs.size(),
              0,
              job,
              new ProcessCost(job + 4, 5, 0, 1),
              new EdgeFigures(new TreeMap<>(), new TreeMap<>(reads))));
    }
  }
}
