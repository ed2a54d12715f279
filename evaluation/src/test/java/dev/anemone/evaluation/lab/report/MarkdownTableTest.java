// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class MarkdownTableTest {
  @Test
  void alignsTheFirstColumnToTheLeftAndFiguresToTheRight() {
    MarkdownTable table =
        new MarkdownTable("runner", "s").row("NemoRunner", "9.50").row("other", "12.00");

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
  void refusesARowThatDoesNotFit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MarkdownTable("a", "b").row("1"))
        .withMessage("A row of 1 cells in a table of 2 columns.");
  }
}
