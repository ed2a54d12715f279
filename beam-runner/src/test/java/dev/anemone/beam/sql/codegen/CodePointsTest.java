// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class CodePointsTest {
  private static final String FACE = "\ud83d\ude00";

  @Property(tries = 2000)
  void aPartHasTheCodePointsOfItsPositions(
      @ForAll List<@IntRange(max = 3) Integer> letters,
      @ForAll @IntRange(min = -3, max = 9) int from,
      @ForAll @IntRange(max = 6) int count) {
    String text = text(letters);
    int[] points = text.codePoints().toArray();
    StringBuilder part = new StringBuilder();
    StringBuilder rest = new StringBuilder();
    for (int i = 0; i < points.length; i++) {
      boolean behind = i + 1 >= from;
      if (behind && i + 1 < from + count) {
        part.appendCodePoint(points[i]);
      }
      if (behind) {
        rest.appendCodePoint(points[i]);
      }
    }

    assertThat(CodePoints.length(text)).isEqualTo(points.length);
    assertThat(CodePoints.substring(text, from, count)).isEqualTo(part.toString());
    assertThat(CodePoints.substring(text, from)).isEqualTo(rest.toString());
  }

  @Property(tries = 2000)
  void aTextIsFoundWhereItsCodePointsAre(
      @ForAll List<@IntRange(max = 3) Integer> before,
      @ForAll List<@IntRange(max = 3) Integer> after) {
    String text = text(before) + "!" + text(after);

    assertThat(CodePoints.position("!", text)).isEqualTo(before.size() + 1);
    assertThat(CodePoints.position("!", text, before.size() + 1)).isEqualTo(before.size() + 1);
    assertThat(CodePoints.position("!", text, before.size() + 2)).isZero();
    assertThat(CodePoints.position("?", text)).isZero();
    assertThat(CodePoints.overlay(text, FACE, before.size() + 1))
        .isEqualTo(text(before) + FACE + text(after));
  }

  @Property(tries = 2000)
  void aTextLosesWhatItBeginsOrEndsWith(
      @ForAll List<@IntRange(max = 1) Integer> begin,
      @ForAll List<@IntRange(max = 3) Integer> between,
      @ForAll List<@IntRange(max = 1) Integer> end) {
    // Of the other face it has the first unit.
    String kept = "\ud83d\ude01" + text(between) + "!";
    String text = text(begin) + FACE + kept + FACE + text(end);
    String trimmed = "\u00e4" + FACE + "a";

    assertThat(CodePoints.trim(true, true, trimmed, text)).isEqualTo(kept);
    assertThat(CodePoints.trim(true, false, trimmed, text)).isEqualTo(kept + FACE + text(end));
    assertThat(CodePoints.trim(false, true, trimmed, text)).isEqualTo(text(begin) + FACE + kept);
    assertThat(CodePoints.trim(true, true, trimmed, text(begin))).isEmpty();
    assertThat(CodePoints.trim(true, true, "", text)).isEqualTo(text);
  }

  private static String text(List<Integer> letters) {
    StringBuilder text = new StringBuilder();
    letters.forEach(letter -> text.append(List.of("a", "\u00e4", "\u03b1", FACE).get(letter)));
    return text.toString();
  }

  @Test
  void positionsMayBeFarAway() {
    assertThat(CodePoints.substring("abc", Long.MAX_VALUE, Long.MAX_VALUE)).isEmpty();
    assertThat(CodePoints.substring("abc", 2, Long.MAX_VALUE)).isEqualTo("bc");
    assertThat(CodePoints.substring("abc", Long.MIN_VALUE, Long.MAX_VALUE)).isEmpty();
    assertThat(CodePoints.substring("abc", Long.MIN_VALUE)).isEqualTo("abc");
    assertThat(CodePoints.overlay("abc", "d", Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo("abcd");
    assertThat(CodePoints.overlay("abc", "d", Long.MIN_VALUE, -1)).isEqualTo("dabc");
  }

  @Test
  void aNegativeNumberOfCharactersIsAnError() {
    assertThatThrownBy(() -> CodePoints.substring("abc", 1, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("SUBSTRING of -1 characters: the number must not be negative");
  }
}
