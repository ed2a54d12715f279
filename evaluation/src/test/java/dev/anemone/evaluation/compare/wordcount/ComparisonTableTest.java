// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.process.ProcessFigures;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ComparisonTableTest {
  private static final Outcome CORRECT = new Outcome.Correct();

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

    assertThat(ComparisonTable.of(runs))
        .isEqualTo(
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
            run("B", 1, 5, new Outcome.Failed(1, "no")),
            run("C", 1, 420, new Outcome.Killed(Duration.ofMinutes(7))),
            run("A", 2, 5, new Outcome.Wrong("1 differences")));

    assertThat(ComparisonTable.of(runs))
        .isEqualTo(
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
            run("NemoRunner", 1, 4, new Outcome.Failed(1, "no")),
            run("SparkRunner", 1, 5, CORRECT));

    assertThat(ComparisonTable.of(runs).lines())
        .last()
        .asString()
        .startsWith("| SparkRunner |    1 |     5.00 |")
        .endsWith("|                        - |");
  }

  private static MeasuredRun run(String runner, int round, double seconds, Outcome outcome) {
    Duration wall = Duration.ofMillis((long) (seconds * 1_000));
    return new MeasuredRun(
        runner,
        round,
        0.1,
        new ProcessFigures(
            OptionalInt.of(0),
            wall,
            wall.multipliedBy(2),
            Duration.ZERO,
            (long) (seconds * 100_000_000)),
        outcome);
  }
}
