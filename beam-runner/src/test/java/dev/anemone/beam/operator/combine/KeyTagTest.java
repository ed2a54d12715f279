// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class KeyTagTest {

  /**
   * Short texts of few characters, among which equal ones and such that start alike are frequent.
   */
  @Property(tries = 5000)
  void textsThatHaveOneTagOfTheirOwnAreEqual(
      @ForAll("texts") String one, @ForAll("texts") String other) {
    long tag = KeyTag.of(one);
    if (one.equals(other)) {
      assertThat(KeyTag.of(other)).isEqualTo(tag);
    } else if (KeyTag.isKey(tag)) {
      assertThat(KeyTag.of(other)).isNotEqualTo(tag);
    }
    assertThat(tag).isNotEqualTo(KeyTag.NONE);
    if (KeyTag.isKey(tag)) {
      assertThat(KeyTag.text(tag)).isEqualTo(one);
    }
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings()
        .withChars('\0', 'a', '\u007f', '\u0080', '\u00ff', '\u0161')
        .ofMaxLength(11);
  }

  @Test
  void shortAsciiIsItsTag() {
    assertThat(List.of("a", "word", "\u007f".repeat(9)))
        .allMatch(text -> KeyTag.isKey(KeyTag.of(text)));
  }

  @Test
  void aHashIsNoKey() {
    assertThat(List.of("", "ten  chars", "a\0", "\u00e9", -1, 1, 7L, 0.5))
        .noneMatch(key -> KeyTag.isKey(KeyTag.of(key)));
    assertThat(KeyTag.isKey(KeyTag.of(null))).isFalse();
  }
}
