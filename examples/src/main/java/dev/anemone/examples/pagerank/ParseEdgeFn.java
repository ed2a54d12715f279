// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.pagerank;

import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;

/**
 * Reads an edge: two names with spaces or tabs between them, and perhaps around them. Empty lines
 * and lines that begin with {@code #} are passed over, as files of the Stanford collection of
 * graphs (SNAP) have them. Any other line ends the pipeline.
 */
final class ParseEdgeFn extends DoFn<String, KV<String, String>> {
  private static final long serialVersionUID = 1;
  private static final int SHOWN_CHARACTERS = 80;

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if the line is no edge; shows the line
   */
  @ProcessElement
  public void processElement(@Element String line, OutputReceiver<KV<String, String>> out) {
    int from = nameStart(line, 0);
    if (from == line.length() || line.charAt(from) == '#') {
      return;
    }
    int fromEnd = nameEnd(line, from);
    int to = nameStart(line, fromEnd);
    int toEnd = nameEnd(line, to);
    if (to == toEnd || nameStart(line, toEnd) < line.length()) {
      throw new IllegalArgumentException(
          "The line '"
              + (line.length() > SHOWN_CHARACTERS
                  ? line.substring(0, SHOWN_CHARACTERS) + "..."
                  : line)
              + "' is no edge. Give each edge a line 'from to', two names with a space or tab"
              + " between them.");
    }
    out.output(KV.of(line.substring(from, fromEnd), line.substring(to, toEnd)));
  }

  private static int nameStart(String line, int from) {
    int at = from;
    while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
      at++;
    }
    return at;
  }

  private static int nameEnd(String line, int from) {
    int at = from;
    while (at < line.length() && !Character.isWhitespace(line.charAt(at))) {
      at++;
    }
    return at;
  }
}
