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

  @ProcessElement
  public void processElement(@Element String line, OutputReceiver<String> words) {
    int length = line.length();
    int wordStart = -1;
    int position = 0;
    while (position < length) {
      int character = line.charAt(position);
      int width = 1;
      boolean letter;
      if (character < 128) {
        int lowerCase = character | 0x20;
        letter = lowerCase >= 'a' && lowerCase <= 'z';
      } else {
        character = line.codePointAt(position);
        width = Character.charCount(character);
        letter = Character.isLetter(character);
      }
      if (letter) {
        if (wordStart < 0) {
          wordStart = position;
        }
      } else if (wordStart >= 0) {
        words.output(line.substring(wordStart, position));
        wordStart = -1;
      }
      position += width;
    }
    if (wordStart >= 0) {
      words.output(line.substring(wordStart));
    }
  }
}
