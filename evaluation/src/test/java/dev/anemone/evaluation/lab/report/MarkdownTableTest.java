// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class MarkdownTableTest {
  @Test
  void alignsTheFirstColumnToTheLeftAndFiguresToTheRight() {
    MarkdownTable table =
        new MarkdownTable("runner; s").row("NemoRunner", "9.50").row("other", "12.00");

    assertThat(table)
        .hasToString(
            """
            | runner     |     s |
            |------------|------:|
            | NemoRunner |  9.50 |
            | other      | 12.00 |
            """);
  }

  @Test
  void numbersHaveTheFormOfTheirColumnAndWhatIsMissingIsAHyphen() {
    MarkdownTable table =
        new MarkdownTable("side; runs; s|%.2f; bytes|%,d; change|%+.1f %%")
            .row("a", 3, 1.006, 1_234_567L, -2.0)
            .row("b", OptionalInt.empty(), OptionalDouble.of(2), "none", OptionalDouble.empty());
    assertThat(table)
        .hasToString(
            """
            | side | runs |    s |     bytes | change |
            |------|-----:|-----:|----------:|-------:|
            | a    |    3 | 1.01 | 1,234,567 | -2.0 % |
            | b    |    - | 2.00 |      none |      - |
            """);
  }

  @Test
  void aSummaryFillsThreeColumns() {
    MarkdownTable table =
        new MarkdownTable("side; median|%.1f; min|%.1f; max|%.1f; runs")
            .row("a", Summary.of(4, 1, 2), 3);
    assertThat(table)
        .hasToString(
            """
            | side | median | min | max | runs |
            |------|-------:|----:|----:|-----:|
            | a    |    2.0 | 1.0 | 4.0 |    3 |
            """);
  }

  @Test
  void refusesARowThatDoesNotFit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MarkdownTable("a; b").row("1"))
        .withMessage("A row of 1 cells in a table of 2 columns.");
  }
}
