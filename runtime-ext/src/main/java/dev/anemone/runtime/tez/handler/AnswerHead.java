// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of an answer in HTTP/1.1.
 *
 * @param status as in 200
 * @param reason the words behind the status
 * @param fields values by names in lower case
 */
record AnswerHead(int status, String reason, Map<String, String> fields) {

  private static final int MOST_LINE_BYTES = 8 << 10;
  private static final int MOST_FIELDS = 100;

  /** Characters of a text of another node that a message shows. */
  private static final int MOST_SHOWN = 300;

  private static final Pattern UNPRINTABLE = Pattern.compile("[^\\x20-\\x7e]+");
  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.1 (\\d{3})(?: (.*))?");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
  private static final Pattern TIMEOUT = Pattern.compile("timeout=(\\d{1,9})");

  AnswerHead {
    fields = Map.copyOf(fields);
  }

  /**
   * Reads a head.
   *
   * @throws IOException when it is none
   */
  static AnswerHead read(AnswerBytes bytes) throws IOException {
    String first = bytes.line(MOST_LINE_BYTES);
    Matcher status = STATUS_LINE.matcher(first);
    if (!status.matches()) {
      throw new IOException(
          "it does not speak HTTP/1.1: its answer begins with \"" + printable(first) + "\"");
    }
    Map<String, String> fields = new HashMap<>();
    String line = bytes.line(MOST_LINE_BYTES);
    for (int count = 0; !line.isEmpty(); count++) {
      int colon = line.indexOf(':');
      if (colon < 1 || count == MOST_FIELDS) {
        throw new IOException("its answer has a bad head, at \"" + printable(line) + "\"");
      }
      fields.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      line = bytes.line(MOST_LINE_BYTES);
    }
    return new AnswerHead(
        Integer.parseInt(status.group(1)), status.group(2) == null ? "" : status.group(2), fields);
  }

  /** The beginning of a text that another node has sent, fit for a message. */
  static String printable(String text) {
    String shown = UNPRINTABLE.matcher(text).replaceAll(" ");
    return shown.length() <= MOST_SHOWN ? shown : shown.substring(0, MOST_SHOWN) + "...";
  }

  /** The value of a field; its name in lower case. */
  Optional<String> field(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  /**
   * Length of the body in bytes.
   *
   * @throws IOException when it is not told
   */
  long contentLength() throws IOException {
    String length = fields.getOrDefault("content-length", "");
    if (!NUMBER.matcher(length).matches()) {
      throw new IOException("its answer does not tell its length");
    }
    return Long.parseLong(length);
  }

  /** How long the connection can be used again; zero when it cannot. */
  Duration keptAlive() {
    if (!fields.getOrDefault("connection", "").equalsIgnoreCase("keep-alive")) {
      return Duration.ZERO;
    }
    Matcher timeout = TIMEOUT.matcher(fields.getOrDefault("keep-alive", ""));
    return timeout.find() ? Duration.ofSeconds(Long.parseLong(timeout.group(1))) : Duration.ZERO;
  }
}
