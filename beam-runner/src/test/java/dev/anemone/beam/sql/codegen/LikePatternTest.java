// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class LikePatternTest {

  @Property(tries = 2000)
  void matchesAsItsDefinitionSays(
      @ForAll @Chars({'a', 'b', '%', '_'}) @StringLength(max = 6) String pattern,
      @ForAll @CharRange(from = 'a', to = 'b') @StringLength(max = 6) String text) {
    assertThat(LikePattern.of(pattern, null).matches(text)).isEqualTo(matches(pattern, text));
  }

  private static boolean matches(String pattern, String text) {
    if (pattern.isEmpty()) {
      return text.isEmpty();
    }
    String rest = pattern.substring(1);
    return switch (pattern.charAt(0)) {
      case '%' -> matches(rest, text) || (!text.isEmpty() && matches(pattern, text.substring(1)));
      case '_' -> !text.isEmpty() && matches(rest, text.substring(1));
      default ->
          !text.isEmpty()
              && text.charAt(0) == pattern.charAt(0)
              && matches(rest, text.substring(1));
    };
  }

  @Test
  void anEscapedCharacterStandsForItself() {
    LikePattern pattern = LikePattern.of("100!%!!", "!");
    assertThat(pattern.matches("100%!")).isTrue();
    assertThat(pattern.matches("1005!")).isFalse();
    assertThat(LikePattern.isValid(List.of("100!%", "!"))).isTrue();
    assertThat(LikePattern.isValid(List.of("100!a", "!"))).isFalse();
    assertThat(LikePattern.isValid(List.of("100!", "!"))).isFalse();
  }

  @Test
  void oneCharacterMayBeALineBreakOrASurrogatePair() {
    assertThat(LikePattern.of("a_c", null).matches("a\nc")).isTrue();
    assertThat(LikePattern.of("a_c", null).matches("a\uD83D\uDE00c")).isTrue();
  }
}
