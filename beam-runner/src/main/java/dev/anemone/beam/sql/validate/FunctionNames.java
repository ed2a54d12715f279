// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.validate;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of functions that the parser takes for words of the language, and for nothing else: it
 * knows them as functions in quotes.
 */
public final class FunctionNames {

  private static final Pattern CORR =
      Pattern.compile(
          "('(?:[^']|'')*+'|\"[^\"]*+\"|`[^`]*+`|--[^\\n]*+|/\\*(?s:.*?)\\*/)"
              + "|\\b(?i:CORR)\\b(?=\\s*\\()");

  private FunctionNames() {}

  /** A statement with quotes around such names, where no text, name or comment has them. */
  public static String quoted(String statement) {
    return CORR.matcher(statement)
        .replaceAll(
            found -> found.group(1) == null ? "`CORR`" : Matcher.quoteReplacement(found.group()));
  }
}
