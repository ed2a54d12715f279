// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.impl.DefaultParser;

/** Asks for more lines until a statement has its semicolon; words are what SQL's are. */
final class StatementParser implements Parser {
  private final DefaultParser words = new DefaultParser();

  StatementParser() {
    words.setEscapeChars(null);
    words.setQuoteChars(new char[0]);
  }

  @Override
  public ParsedLine parse(String line, int cursor, ParseContext context) {
    if (context == ParseContext.ACCEPT_LINE && !Script.of(line).complete()) {
      throw new EOFError(-1, -1, "The statement has no semicolon yet.");
    }
    return words.parse(line, cursor, ParseContext.COMPLETE);
  }
}
