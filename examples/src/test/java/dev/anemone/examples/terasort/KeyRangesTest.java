// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class KeyRangesTest {

  @Property(tries = 300)
  void rangesFollowTheOrderOfTheKeys(
      @ForAll("keys") List<TeraKey> keys, @ForAll @IntRange(min = 1, max = 20) int wanted) {
    KeyRanges ranges = KeyRanges.ofSample(keys.subList(0, keys.size() / 2 + 1), wanted);
    assertThat(ranges.count()).isBetween(1, wanted);

    List<TeraKey> sorted = new ArrayList<>(keys);
    Collections.sort(sorted);
    int before = 0;
    TeraKey keyBefore = sorted.get(0);
    for (TeraKey key : sorted) {
      int range = ranges.rangeOf(record(key));
      assertThat(range).isBetween(before, ranges.count() - 1);
      if (key.equals(keyBefore)) {
        assertThat(range).isEqualTo(ranges.rangeOf(record(keyBefore)));
      }
      before = range;
      keyBefore = key;
    }
  }

  @Test
  void rangesOfRandomKeysAreAboutEqual() {
    List<byte[]> records = Records.generated(100_000);
    List<TeraKey> sample =
        records.subList(0, 10_000).stream().map(record -> TeraKey.at(record, 0)).toList();
    KeyRanges ranges = KeyRanges.ofSample(sample, 50);

    int[] counts = new int[ranges.count()];
    records.forEach(record -> counts[ranges.rangeOf(record)]++);

    assertThat(counts).hasSize(50);
    for (int count : counts) {
      assertThat(count).isBetween(1_200, 2_900);
    }
  }

  @Test
  void aKeyThatIsFrequentGetsNoEmptyRanges() {
    TeraKey frequent = new TeraKey(7, 7);
    List<TeraKey> sample = new ArrayList<>(Collections.nCopies(1_000, frequent));
    sample.add(new TeraKey(-1, 0));

    KeyRanges ranges = KeyRanges.ofSample(sample, 100);

    assertThat(ranges.count()).isEqualTo(2);
    assertThat(ranges.rangeOf(record(new TeraKey(7, 6)))).isZero();
    assertThat(ranges.rangeOf(record(frequent))).isEqualTo(1);
    assertThat(ranges.rangeOf(record(new TeraKey(-1, 0)))).isEqualTo(1);
  }

  /** Few different heads and tails, so that both decide; those with the highest bit included. */
  @Provide
  Arbitrary<List<TeraKey>> keys() {
    Arbitrary<Long> heads =
        Arbitraries.oneOf(Arbitraries.longs(), Arbitraries.longs().between(-2, 2));
    Arbitrary<Integer> tails = Arbitraries.of(0, 1, 0x7FFF, 0x8000, 0xFFFF);
    return Combinators.combine(heads, tails).as(TeraKey::new).list().ofMinSize(1).ofMaxSize(60);
  }

  private static byte[] record(TeraKey key) {
    byte[] record = new byte[TeraRecord.BYTES];
    for (int i = 0; i < 8; i++) {
      record[i] = (byte) (key.head() >>> (56 - 8 * i));
    }
    record[8] = (byte) (key.tail() >>> 8);
    record[9] = (byte) key.tail();
    return record;
  }
}
