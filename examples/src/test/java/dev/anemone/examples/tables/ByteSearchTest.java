// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class ByteSearchTest {
  private static final byte BAR = '|';

  /** The characters beside the one that is looked for differ from it in one bit. */
  @Property(tries = 500)
  void rangesAreSearchedAsByteByByte(
      @ForAll @StringLength(max = 40) @Chars({'|', '}', '\u00fc', 'a'}) String text,
      @ForAll @IntRange(max = 40) int one,
      @ForAll @IntRange(max = 40) int other,
      @ForAll @IntRange(max = 12) int n) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    int from = Math.min(Math.min(one, other), bytes.length);
    int end = Math.min(Math.max(one, other), bytes.length);

    int first = text.substring(0, end).indexOf(BAR, from);
    assertThat(ByteSearch.indexOf(BAR, bytes, from, end)).isEqualTo(first < 0 ? end : first);
    assertThat(ByteSearch.behind(BAR, n, bytes, from, end)).isEqualTo(behind(text, n, from, end));
    assertThat(ByteSearch.count(BAR, bytes, from, end))
        .isEqualTo((int) text.substring(from, end).chars().filter(c -> c == BAR).count());
  }

  private static int behind(String text, int n, int from, int end) {
    int index = from;
    for (int i = 0; i < n; i++) {
      int found = text.substring(0, end).indexOf(BAR, index);
      if (found < 0) {
        return end + 1;
      }
      index = found + 1;
    }
    return index;
  }

  @Test
  void aRangeThatIsOverHasNothing() {
    byte[] bytes = "a|bcdefghij".getBytes(StandardCharsets.US_ASCII);

    assertThat(ByteSearch.behind(BAR, 1, bytes, 12, 11)).isEqualTo(12);
    assertThat(ByteSearch.indexOf(BAR, bytes, 0, 1)).isEqualTo(1);
  }
}
