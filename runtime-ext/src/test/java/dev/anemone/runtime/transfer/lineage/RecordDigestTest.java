// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.record.ByteSink;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** A digest tells records apart, and not their order. */
class RecordDigestTest {

  private record Written(int partition, String key, String value) {}

  private static long digest(List<Written> records) {
    RecordDigest digest = new RecordDigest();
    for (Written each : records) {
      digest.add(each.partition(), sink(each.key()), sink(each.value()));
    }
    return digest.value();
  }

  private static ByteSink sink(String text) {
    ByteSink sink = new ByteSink();
    text.chars().forEach(sink::write);
    return sink;
  }

  @Provide
  Arbitrary<List<Written>> records() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 3),
            Arbitraries.strings().withCharRange('a', 'c').ofMaxLength(3),
            Arbitraries.strings().withCharRange('a', 'c').ofMaxLength(3))
        .as(Written::new)
        .list()
        .ofMaxSize(8);
  }

  @Property
  void theOrderDoesNotCount(@ForAll("records") List<Written> records, @ForAll long seed) {
    List<Written> shuffled = new ArrayList<>(records);
    Collections.shuffle(shuffled, new Random(seed));
    assertThat(digest(shuffled)).isEqualTo(digest(records));
  }

  @Property
  void otherRecordsHaveAnotherDigest(
      @ForAll("records") List<Written> some, @ForAll("records") List<Written> others) {
    assertThat(digest(some) == digest(others)).isEqualTo(sorted(some).equals(sorted(others)));
  }

  private static List<String> sorted(List<Written> records) {
    return records.stream().map(Written::toString).sorted().toList();
  }

  @Test
  void aByteMayNotMoveFromTheKeyToTheValue() {
    assertThat(digest(List.of(new Written(0, "ab", "c"))))
        .isNotEqualTo(digest(List.of(new Written(0, "a", "bc"))));
  }
}
