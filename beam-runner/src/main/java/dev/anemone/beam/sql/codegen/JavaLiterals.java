// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

/** Values as Java source. */
final class JavaLiterals {
  private JavaLiterals() {}

  /** A string literal; whatever is not plain ASCII is escaped. */
  static String text(String value) {
    StringBuilder literal = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char character = value.charAt(i);
      if (character == '"') {
        literal.append("\\\"");
      } else if (character == '\\') {
        // Two of them could look like the begin of a Unicode escape to a compiler.
        literal.append("\\134");
      } else if (character >= ' ' && character <= '~') {
        literal.append(character);
      } else if (character == '\n') {
        // As a Unicode escape it would end the line of the source.
        literal.append("\\n");
      } else if (character == '\r') {
        literal.append("\\r");
      } else {
        literal.append(String.format("\\u%04x", (int) character));
      }
    }
    return literal.append('"').toString();
  }
}
