// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.sql;

/**
 * Functions of texts in DuckDB's SQL, which counts code points where Java counts units of UTF-16.
 */
final class TextSql {

  /** Everything but the code points that are two units. */
  private static final String SINGLE_UNITS = "'[^\\x{10000}-\\x{10FFFF}]'";

  private TextSql() {}

  /** The length of a text, in SQL, in units of UTF-16; null of null. */
  static String length(String text) {
    String points = "length(" + text + ")";
    // As many bytes as code points: ASCII, for which nothing has to be looked for.
    return "CAST(CASE WHEN strlen("
        + text
        + ") = "
        + points
        + " THEN "
        + points
        + " ELSE "
        + points
        + " + length(regexp_replace("
        + text
        + ", "
        + SINGLE_UNITS
        + ", '', 'g')) END AS INTEGER)";
  }

  /** Where a text begins in another, in units of UTF-16 from 1; 0 where it does not. */
  static String position(String sought, String text) {
    String point = "instr(" + text + ", " + sought + ")";
    return "(CASE WHEN "
        + sought
        + " = '' AND "
        + text
        + " IS NOT NULL THEN 1 WHEN "
        + point
        + " = 0 THEN 0 ELSE "
        + length("left(" + text + ", " + point + " - 1)")
        + " + 1 END)";
  }
}
