// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.format;

import java.util.Objects;
import java.util.Optional;

/**
 * Text with a record in each line. Lines end with LF or CRLF; the last one need not, and an empty
 * one is no record. Text is UTF-8, dates are {@code 1994-12-31}, timestamps {@code 1994-12-31
 * 23:59:59.123456}. A number with more digits after the point than its column is rounded half away
 * from zero.
 *
 * @param delimiter between values, a character of ASCII
 * @param quote around values that contain delimiters; a quoted value is never null
 * @param escape before a quote within quotes; the quote itself where it is doubled
 * @param header whether the first record has the names of columns; it is skipped
 * @param nullText what stands for null where it is not quoted
 * @param quotedNewlines whether values in quotes may contain line ends. If so, the beginning of a
 *     split is found by reading the file up to there, because nothing near it tells whether a line
 *     end is in quotes; if not, a quoted line end is an error or a wrong record
 * @param compression a compressed file cannot be divided
 */
public record CsvFormat(
    char delimiter,
    Optional<Character> quote,
    Optional<Character> escape,
    boolean header,
    String nullText,
    boolean quotedNewlines,
    Compression compression)
    implements FileFormat {

  private static final int LONGEST_NULL = 64;

  /** How a file is compressed. */
  public enum Compression {
    NONE,
    GZIP,
    ZSTD
  }

  public CsvFormat {
    Objects.requireNonNull(compression, "compression");
    requirePlain("delimiter", delimiter);
    quote.ifPresent(c -> requirePlain("quote", c));
    escape.ifPresent(c -> requirePlain("escape", c));
    if (quote.isEmpty() && (escape.isPresent() || quotedNewlines)) {
      throw new IllegalArgumentException(
          "an escape and quoted line ends have no meaning without a quote; name the quote too");
    }
    if (quote.isPresent() && (quote.get() == delimiter || escape.equals(Optional.of(delimiter)))) {
      throw new IllegalArgumentException(
          "the delimiter " + delimiter + " is the quote or the escape too; they must differ");
    }
    if (nullText.length() > LONGEST_NULL
        || nullText
            .chars()
            .anyMatch(c -> c < ' ' || c >= 0x7f || isMark(c, delimiter, quote, escape))) {
      throw new IllegalArgumentException(
          "null is written "
              + nullText
              + "; at most "
              + LONGEST_NULL
              + " printable characters of ASCII are allowed, without delimiter, quote and escape");
    }
  }

  /** Values between delimiters, in double quotes where needed; an empty value is null. */
  public static CsvFormat of(char delimiter) {
    return new CsvFormat(
        delimiter, Optional.of('"'), Optional.of('"'), false, "", false, Compression.NONE);
  }

  /** The same with a header or without. */
  public CsvFormat withHeader(boolean newHeader) {
    return new CsvFormat(
        delimiter, quote, escape, newHeader, nullText, quotedNewlines, compression);
  }

  /** The same with line ends in quotes or without. */
  public CsvFormat withQuotedNewlines(boolean newQuotedNewlines) {
    return new CsvFormat(
        delimiter, quote, escape, header, nullText, newQuotedNewlines, compression);
  }

  /** The same with another text for null. */
  public CsvFormat withNullText(String newNullText) {
    return new CsvFormat(
        delimiter, quote, escape, header, newNullText, quotedNewlines, compression);
  }

  /** The same in a compressed file. */
  public CsvFormat withCompression(Compression newCompression) {
    return new CsvFormat(
        delimiter, quote, escape, header, nullText, quotedNewlines, newCompression);
  }

  private static boolean isMark(
      int c, char delimiter, Optional<Character> quote, Optional<Character> escape) {
    return c == delimiter
        || (quote.isPresent() && c == quote.get())
        || (escape.isPresent() && c == escape.get());
  }

  private static void requirePlain(String what, char c) {
    if (c == 0 || c == '\n' || c == '\r' || c >= 0x7f) {
      throw new IllegalArgumentException(
          "the " + what + " is character " + (int) c + "; one of ASCII, no line end, is needed");
    }
  }
}
