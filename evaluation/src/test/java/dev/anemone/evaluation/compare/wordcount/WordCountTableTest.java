// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.peer.InterleavedRuns.MeasuredRun;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import java.util.List;
import org.junit.jupiter.api.Test;

class WordCountTableTest {
  private static final String CORRECT = MeasuredRun.CORRECT;

  @Test
  void comparesTheMediansWithThatOfTheFirstRunner() {
    List<MeasuredRun> runs =
        List.of(
            run("NemoRunner", 1, 4.5, CORRECT),
            run("SparkRunner", 1, 20, CORRECT),
            run("NemoRunner", 2, 4, CORRECT),
            run("SparkRunner", 2, 8, CORRECT),
            run("NemoRunner", 3, 30, CORRECT),
            run("SparkRunner", 3, 10, CORRECT));

    assertThat(WordCountCommand.table(runs))
        .hasToString(
            """
| runner      | runs | median s | min s | max s | user CPU s | peak MB | NemoRunner's time / this |
|-------------|-----:|---------:|------:|------:|-----------:|--------:|-------------------------:|
| NemoRunner  |    3 |     4.50 |  4.00 | 30.00 |       9.00 |     450 |                     1.00 |
| SparkRunner |    3 |    10.00 |  8.00 | 20.00 |      20.00 |    1000 |                     0.45 |
""");
  }

  @Test
  void givesNoFiguresOfARunnerThatDidNotAnswerRight() {
    List<MeasuredRun> runs =
        List.of(
            run("NemoRunner", 1, 4, CORRECT),
            run("A", 1, 5, CORRECT),
            run("B", 1, 5, "failed with exit code 1. no"),
            run("C", 1, 420, "killed after 420 s"),
            run("A", 2, 5, "wrong: 1 differences"));

    assertThat(WordCountCommand.table(runs))
        .hasToString(
            """
| runner     | runs |           median s | min s | max s | user CPU s | peak MB | NemoRunner's time / this |
|------------|-----:|-------------------:|------:|------:|-----------:|--------:|-------------------------:|
| NemoRunner |    1 |               4.00 |  4.00 |  4.00 |       8.00 |     400 |                     1.00 |
| A          |    2 |              wrong |     - |     - |          - |       - |                        - |
| B          |    1 |             failed |     - |     - |          - |       - |                        - |
| C          |    1 | killed after 420 s |     - |     - |          - |       - |                        - |
""");
  }

  @Test
  void comparesNothingWithAFirstRunnerThatFailed() {
    List<MeasuredRun> runs =
        List.of(
            run("NemoRunner", 1, 4, "failed with exit code 1. no"),
            run("SparkRunner", 1, 5, CORRECT));

    assertThat(WordCountCommand.table(runs).toString().lines())
        .last()
        .asString()
        .startsWith("| SparkRunner |    1 |     5.00 |")
        .endsWith("|                        - |");
  }

  private static MeasuredRun run(String runner, int round, double seconds, String outcome) {
    return new MeasuredRun(
        runner,
        round,
        0.1,
        outcome,
        new ProcessCost(seconds, 2 * seconds, 0, (long) (seconds * 100_000_000)));
  }
}
