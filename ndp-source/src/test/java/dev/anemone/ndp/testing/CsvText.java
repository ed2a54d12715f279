// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.testing;

import dev.anemone.ndp.format.CsvFormat;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Writes rows as text of a format. */
public final class CsvText {

  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");

  private CsvText() {}

  /** All rows, each with the line end given; the last one without when {@code open}. */
  public static String of(List<List<Object>> rows, CsvFormat format, String lineEnd, boolean open) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      for (int column = 0; column < rows.get(i).size(); column++) {
        if (column > 0) {
          text.append(format.delimiter());
        }
        text.append(value(rows.get(i).get(column), format));
      }
      if (i < rows.size() - 1 || !open) {
        text.append(lineEnd);
      }
    }
    return text.toString();
  }

  private static String value(Object value, CsvFormat format) {
    if (value == null) {
      return format.nullText();
    }
    if (value instanceof BigDecimal decimal) {
      return decimal.toPlainString();
    }
    if (value instanceof LocalDateTime time) {
      return TIMESTAMP.format(time);
    }
    return value instanceof String text ? quoted(text, format) : value.toString();
  }

  private static String quoted(String text, CsvFormat format) {
    String quote = format.quote().orElseThrow().toString();
    String escape = format.escape().orElseThrow().toString();
    String escaped = text;
    if (!escape.equals(quote)) {
      escaped = escaped.replace(escape, escape + escape);
    }
    return quote + escaped.replace(quote, escape + quote) + quote;
  }
}
