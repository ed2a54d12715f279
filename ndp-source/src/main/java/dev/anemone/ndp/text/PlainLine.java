// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.text;

import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;

/**
 * Knows lines that mean one thing only, whoever reads them: no marks but delimiters and quotes
 * around whole texts, numbers of digits, days that every month has. Says no to all others, good or
 * bad. For one thread.
 */
final class PlainLine {

  private static final byte QUOTE = '"';

  /** Digits that fit into a whole number whatever they are. */
  private static final int INT_DIGITS = 9;

  private static final int LONG_DIGITS = 18;
  private static final int DOUBLE_DIGITS = 15;
  private static final int LAST_DAY = 28;
  private static final int LAST_MONTH = 12;

  private final Field[] fields;
  private final byte delimiter;
  private final boolean emptyIsNull;
  private final boolean emptyTextIsNull;
  private final boolean dropsBlanks;
  private final boolean quotes;

  private byte[] bytes;

  /** Of lines with these columns, of which an empty one is null if the engine takes it for that. */
  PlainLine(RowType columns, TextDialect dialect) {
    this.fields = columns.fields().toArray(new Field[0]);
    this.delimiter = (byte) dialect.delimiter();
    this.emptyIsNull = dialect.nullText().orElse("").isEmpty();
    this.emptyTextIsNull = dialect.nullText().isPresent() && emptyIsNull;
    this.dropsBlanks = dialect.dropsBlanks();
    this.quotes = dialect.quotes();
  }

  /** Whether the bytes from one index up to another are such a line of ASCII or of UTF-8. */
  boolean is(byte[] line, int from, int to) {
    bytes = line;
    if (from == to) {
      // No row, or one empty value: that is for the dialect to say.
      return false;
    }
    int position = from;
    for (int i = 0; i < fields.length; i++) {
      int end = valueEnd(position, to);
      if (end < 0 || !isPlain(fields[i], position, end)) {
        return false;
      }
      boolean last = i == fields.length - 1;
      if (last != (end == to)) {
        return false;
      }
      position = end + 1;
    }
    return true;
  }

  /** Where a value ends; negative where that is not clear. */
  private int valueEnd(int from, int to) {
    if (quotes && from < to && bytes[from] == QUOTE) {
      int close = from + 1;
      while (close < to && bytes[close] != QUOTE && bytes[close] != '\\' && bytes[close] != 0) {
        close++;
      }
      boolean whole =
          close < to && bytes[close] == QUOTE && (close + 1 == to || bytes[close + 1] == delimiter);
      return whole ? close + 1 : -1;
    }
    for (int i = from; i < to; i++) {
      byte next = bytes[i];
      if (next == delimiter) {
        return i;
      }
      if (next == QUOTE || next == '\\' || next == 0) {
        return -1;
      }
    }
    return to;
  }

  private boolean isPlain(Field field, int from, int to) {
    boolean text = field.type().type() == SimpleType.STRING;
    if (from == to) {
      return text ? !emptyTextIsNull : emptyIsNull && field.type().nullable();
    }
    if (bytes[from] == QUOTE) {
      // Whether an empty one in quotes is null, too, differs among dialects.
      return text && !dropsBlanks && to - from > 2;
    }
    if (field.type().type() instanceof DecimalType decimal) {
      return isDecimal(from, to, decimal.integerDigits(), decimal.scale());
    }
    return switch ((SimpleType) field.type().type()) {
      case STRING -> !dropsBlanks || (bytes[from] > ' ' && bytes[to - 1] > ' ');
      case INT32 -> isWhole(from, to, INT_DIGITS);
      case INT64 -> isWhole(from, to, LONG_DIGITS);
      case DOUBLE -> isDecimal(from, to, DOUBLE_DIGITS, DOUBLE_DIGITS);
      case DATE -> isDate(from, to);
      case BOOLEAN -> isWord(from, to, "true") || isWord(from, to, "false");
      case TIMESTAMP -> false;
    };
  }

  private boolean isWhole(int from, int to, int most) {
    int start = bytes[from] == '-' ? from + 1 : from;
    return start < to && to - start <= most && areDigits(start, to);
  }

  private boolean isDecimal(int from, int to, int before, int behind) {
    int start = bytes[from] == '-' ? from + 1 : from;
    int point = start;
    while (point < to && bytes[point] != '.') {
      point++;
    }
    boolean whole = point > start && point - start <= before && areDigits(start, point);
    return whole
        && (point == to
            || (point + 1 < to && to - point - 1 <= behind && areDigits(point + 1, to)));
  }

  private boolean isDate(int from, int to) {
    if (to - from != 10 || bytes[from + 4] != '-' || bytes[from + 7] != '-') {
      return false;
    }
    if (!areDigits(from, from + 4) || !areDigits(from + 5, from + 7) || !areDigits(from + 8, to)) {
      return false;
    }
    int month = number(from + 5, from + 7);
    int day = number(from + 8, to);
    return number(from, from + 4) > 0
        && month >= 1
        && month <= LAST_MONTH
        && day >= 1
        && day <= LAST_DAY;
  }

  private int number(int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      number = 10 * number + bytes[i] - '0';
    }
    return number;
  }

  private boolean areDigits(int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return false;
      }
    }
    return true;
  }

  private boolean isWord(int from, int to, String word) {
    if (to - from != word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (bytes[from + i] != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
