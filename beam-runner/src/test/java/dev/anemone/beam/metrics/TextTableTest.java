// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextTableTest {

  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    TextTable table = new TextTable(List.of("name", "n"));
    table.add(List.of("a", "1,000"));
    table.add(List.of("longer", "2"));

    assertThat(table.print())
        .isEqualTo(
            """
            name        n
            a       1,000
            longer      2
            """);
  }

  @Test
  void aRowHasACellForEachTitle() {
    TextTable table = new TextTable(List.of("name", "n"));

    assertThatThrownBy(() -> table.add(List.of("a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("[a] does not fit below [name, n]");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "999, 999 B",
    "1000, 1.0 kB",
    "99949, 99.9 kB",
    "99951, 100 kB",
    "999499, 999 kB",
    "999500, 1.0 MB",
    "2147483648, 2.1 GB",
    "9223372036854775807, 9.2 EB"
  })
  void bytesHaveAUnitAndTwoOrThreeDigits(long bytes, String text) {
    assertThat(TextTable.bytes(bytes)).isEqualTo(text);
  }
}
