// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.page;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Addresses of pages. */
final class Addresses {

  private Addresses() {}

  /** A text as one segment of a path. */
  static String segment(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
