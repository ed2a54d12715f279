// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ShortTextSumsTest {

  private static final ShortTextSums.Listener NOBODY = isNew -> {};

  private record Addition(String text, long summand) {}

  /** Whenever the table is emptied, also between additions that are made together. */
  @Property(tries = 100)
  void everySummandIsInOneSumOfItsText(
      @ForAll("additions") List<Addition> additions, @ForAll @IntRange(min = 1, max = 900) int most)
      throws Exception {
    ShortTextSums sums = new ShortTextSums(Long.MAX_VALUE);
    Map<String, Long> found = new HashMap<>();
    List<Boolean> newOnes = new ArrayList<>();
    ShortTextSums.Listener listener =
        isNew -> {
          newOnes.add(isNew);
          if (newOnes.size() % most == 0) {
            sums.forEach((text, sum) -> found.merge(text, sum, Long::sum));
            sums.clear();
          }
        };
    Map<String, Long> expected = new HashMap<>();
    for (Addition addition : additions) {
      expected.merge(addition.text(), addition.summand(), Long::sum);
      if (sums.put(KeyTag.of(addition.text()), addition.summand())) {
        sums.addAll(listener);
      }
    }
    sums.addAll(listener);
    sums.forEach((text, sum) -> found.merge(text, sum, Long::sum));

    assertThat(found).isEqualTo(expected);
    assertThat(newOnes).isEqualTo(firstOfTheirText(additions, most));
  }

  private static List<Boolean> firstOfTheirText(List<Addition> additions, int most) {
    List<Boolean> first = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Addition addition : additions) {
      first.add(seen.add(addition.text()));
      if (first.size() % most == 0) {
        seen.clear();
      }
    }
    return first;
  }

  @Provide
  Arbitrary<List<Addition>> additions() {
    Arbitrary<String> texts =
        Arbitraries.strings()
            .withChars('a', 'b', 'z', '\u0001', '\u007f')
            .ofMinLength(1)
            .ofMaxLength(9);
    Arbitrary<Long> summands =
        Arbitraries.oneOf(
            Arbitraries.longs().between(-3, 3), Arbitraries.of(Long.MAX_VALUE, Long.MIN_VALUE));
    return Combinators.combine(texts, summands).as(Addition::new).list().ofMaxSize(3000);
  }

  @Test
  void isFullBeforeItTakesMoreThanItsMemory() throws Exception {
    int memoryBytes = 1 << 20;
    ShortTextSums sums = new ShortTextSums(memoryBytes);
    int added = 0;
    while (!sums.isFull()) {
      while (!sums.put(KeyTag.of("k" + added), 1)) {
        added++;
      }
      added++;
      sums.addAll(NOBODY);
    }
    // One in two places of 16 bytes; the table has between one and two thirds of the memory, since
    // one that is twice as large would need three times what it has while it grows.
    assertThat(added).isBetween(memoryBytes / 32 / 3 - 64, memoryBytes / 32 * 2 / 3);
    sums.clear();
    assertThat(sums.isFull()).isFalse();
  }

  @Test
  void hasRoomForSomeWithoutMemory() throws Exception {
    ShortTextSums sums = new ShortTextSums(0);
    assertThat(sums.isFull()).isFalse();
    sums.put(KeyTag.of("word"), 2);
    sums.addAll(NOBODY);
    assertThat(sums.isFull()).isTrue();
    Map<String, Long> found = new HashMap<>();
    sums.forEach(found::put);
    assertThat(found).isEqualTo(Map.of("word", 2L));
  }
}
