// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.text;

import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** How values lie in a line: one of the formats that commons-csv names. */
public final class TextDialect {

  private final CSVFormat format;

  private TextDialect(CSVFormat format) {
    this.format = format;
  }

  /**
   * A dialect by its name, such as {@code Default} or {@code Excel}.
   *
   * @throws IllegalArgumentException when there is none of that name; says which there are
   */
  public static TextDialect of(String name) {
    for (CSVFormat.Predefined known : CSVFormat.Predefined.values()) {
      if (known.name().equals(name)) {
        return new TextDialect(known.getFormat());
      }
    }
    throw new IllegalArgumentException(
        "there is no format of CSV called "
            + name
            + "; those are "
            + Arrays.toString(CSVFormat.Predefined.values()));
  }

  /** Between values. */
  public char delimiter() {
    return format.getDelimiterString().charAt(0);
  }

  /** What stands for null, if texts can be null. */
  public Optional<String> nullText() {
    return Optional.ofNullable(format.getNullString());
  }

  /**
   * Writes values as the format has them.
   *
   * @param target gets the text; closed with the printer
   */
  public CSVPrinter printer(Appendable target) throws IOException {
    return new CSVPrinter(target, format);
  }

  CSVFormat format() {
    return format;
  }

  /** Whether a text in double quotes is that text. It is none where they are the escape, too. */
  boolean quotes() {
    return Objects.equals(format.getQuoteCharacter(), '"')
        && !Objects.equals(format.getEscapeCharacter(), '"');
  }

  /** Whether blanks around values are no part of them. */
  boolean dropsBlanks() {
    return format.getIgnoreSurroundingSpaces() || format.getTrim();
  }
}
