// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.page;

/** Text that becomes HTML. */
final class Html {

  private Html() {}

  /** The text as it is, between tags or in an attribute's double quotes. */
  static String escaped(String text) {
    StringBuilder html = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> html.append("&amp;");
        case '<' -> html.append("&lt;");
        case '>' -> html.append("&gt;");
        case '"' -> html.append("&quot;");
        case '\'' -> html.append("&#39;");
        default -> html.append(c);
      }
    }
    return html.toString();
  }
}
