// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskbatching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.report.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DiskBatchingTableTest {

  @Test
  void speedupIsThatOfTheMediansUnderTheSameCondition() {
    List<DiskBatchingFigures.Run> runs = new ArrayList<>();
    add(runs, "Default", true, 300, 200, 210);
    add(runs, "LargeShuffle", true, 70, 60, 90);
    add(runs, "Default", false, 50);
    add(runs, "LargeShuffle", false, 100);

    String table =
        DiskBatchingTable.of(
            new DiskBatchingFigures(
                "", new Machine(2, 1, "", ""), 5, 5, 100, List.of(), 1, 1, 1, runs));

    assertThat(table)
        .isEqualTo(
            """
            | disk      |       policy | runs | median s |  min s |  max s | seeks | MB read | speedup |
            |-----------|-------------:|-----:|---------:|-------:|-------:|------:|--------:|--------:|
            | throttled |      Default |    3 |   210.00 | 200.00 | 300.00 |     7 |     2.5 |    1.00 |
            | throttled | LargeShuffle |    3 |    70.00 |  60.00 |  90.00 |     7 |     2.5 |    3.00 |
            | as it is  |      Default |    1 |    50.00 |  50.00 |  50.00 |     7 |     2.5 |    1.00 |
            | as it is  | LargeShuffle |    1 |   100.00 | 100.00 | 100.00 |     7 |     2.5 |    0.50 |
            """);
  }

  private static void add(
      List<DiskBatchingFigures.Run> runs, String policy, boolean throttled, double... seconds) {
    for (int i = 0; i < seconds.length; i++) {
      runs.add(
          new DiskBatchingFigures.Run(
              policy, throttled, i + 1, 0, seconds[i], 1, 1, 7, 2_500_000, new TreeMap<>()));
    }
  }
}
