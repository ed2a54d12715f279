// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.wordcount;

import org.apache.beam.sdk.transforms.DoFn;

/**
 * Splits a line into its words: the longest runs of Unicode letters. This is what Beam's own word
 * count does with the regular expression {@code [^\p{L}]+}; a scan by hand needs no matcher and no
 * array per line, and is several times faster.
 */
public final class SplitWordsFn extends DoFn<String, String> {
  private static final long serialVersionUID = 1;

  private static final int ASCII = 128;

  @ProcessElement
  public void processElement(@Element String line, OutputReceiver<String> words) {
    int start = letterFrom(line, 0);
    while (start < line.length()) {
      int end = otherFrom(line, start);
      words.output(line.substring(start, end));
      start = letterFrom(line, end);
    }
  }

  /** Where the next letter is, from a position on; the end of the line if there is none. */
  private static int letterFrom(String line, int from) {
    int position = from;
    while (position < line.length() && !isLetter(line, position)) {
      position += width(line, position);
    }
    return position;
  }

  /** Where the next character is that is no letter; the end of the line if there is none. */
  private static int otherFrom(String line, int from) {
    int position = from;
    while (position < line.length() && isLetter(line, position)) {
      position += width(line, position);
    }
    return position;
  }

  private static boolean isLetter(String line, int position) {
    int character = line.charAt(position);
    if (character < ASCII) {
      int lowerCase = character | ('a' - 'A');
      return lowerCase >= 'a' && lowerCase <= 'z';
    }
    return Character.isLetter(line.codePointAt(position));
  }

  /** How many chars the character at a position takes. */
  private static int width(String line, int position) {
    char first = line.charAt(position);
    return first < ASCII ? 1 : Character.charCount(line.codePointAt(position));
  }
}
