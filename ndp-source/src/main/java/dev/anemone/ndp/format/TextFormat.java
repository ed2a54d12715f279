// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.format;

import dev.anemone.ndp.text.TextDialect;
import java.util.Optional;

/**
 * Text as Java programs read it: a row in each line, whose values are found by commons-csv and read
 * by Java's parsers of numbers. Lines end with LF, CRLF or CR, and no value has a line end in it.
 * Text is UTF-8, dates are {@code 1994-12-31}, an empty number or date is null. A decimal with more
 * digits than its column is an error, as is any other value that does not fit.
 *
 * @param dialect a format that commons-csv names, such as {@code Default} or {@code Excel}
 */
public record TextFormat(String dialect) implements FileFormat {

  /**
   * A format.
   *
   * @throws IllegalArgumentException when commons-csv names no such one
   */
  public TextFormat {
    TextDialect.of(dialect);
  }

  /** How lines lie in a file that means one thing only. */
  public CsvFormat settled() {
    TextDialect named = TextDialect.of(dialect);
    return new CsvFormat(
        named.delimiter(),
        Optional.of('"'),
        Optional.of('"'),
        false,
        named.nullText().orElse(""),
        false,
        CsvFormat.Compression.NONE);
  }

  /** Whether a text can be null. */
  public boolean hasNullTexts() {
    return TextDialect.of(dialect).nullText().isPresent();
  }
}
