// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.operator.combine.AccumulatorTable.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

class PendingAdditionsTest {

  private static final Instant NOON = Instant.ofEpochMilli(0);

  private record Addition(BoundedWindow window, String key, long value) {}

  private record WindowAndKey(BoundedWindow window, String key) {}

  /** Whenever the table is emptied in between, and whatever is looked up beforehand. */
  @Property(tries = 60)
  void everyValueIsAddedOnceToItsKeyInItsWindow(
      @ForAll("additions") List<Addition> additions, @ForAll @IntRange(min = 1, max = 500) int most)
      throws Exception {
    AccumulatorTable table =
        new AccumulatorTable(StringUtf8Coder.of(), VarLongCoder.of(), Long.MAX_VALUE);
    PendingAdditions pending = new PendingAdditions(table);
    Map<WindowAndKey, Long> found = new HashMap<>();
    PendingAdditions.Adder adder =
        (entry, value, timestamp) -> {
          entry.setAccumulator((entry.isNew() ? 0 : (Long) entry.accumulator()) + (Long) value);
          boolean isFull = table.entries().size() >= most;
          if (isFull) {
            empty(table, found);
          }
          return isFull;
        };
    Map<WindowAndKey, Long> expected = new HashMap<>();
    for (Addition addition : additions) {
      expected.merge(
          new WindowAndKey(addition.window(), addition.key()), addition.value(), Long::sum);
      // Another object that is equal, as records have.
      String key = new String(addition.key().toCharArray());
      if (pending.put(addition.window(), key, addition.value(), NOON)) {
        pending.addAll(adder);
      }
    }
    pending.addAll(adder);
    empty(table, found);
    assertThat(found).isEqualTo(expected);
  }

  private static void empty(AccumulatorTable table, Map<WindowAndKey, Long> found) {
    for (Entry entry : table.entries()) {
      found.merge(
          new WindowAndKey(entry.window(), (String) entry.key()),
          (Long) entry.accumulator(),
          Long::sum);
    }
    table.clear();
  }

  @Provide
  Arbitrary<List<Addition>> additions() {
    Arbitrary<BoundedWindow> windows =
        Arbitraries.of(
            GlobalWindow.INSTANCE,
            new IntervalWindow(Instant.ofEpochMilli(0), Instant.ofEpochMilli(10)),
            new IntervalWindow(Instant.ofEpochMilli(10), Instant.ofEpochMilli(20)));
    Arbitrary<String> keys = Arbitraries.strings().withChars('a', 'b', '\u00e9').ofMaxLength(11);
    return Combinators.combine(windows, keys, Arbitraries.longs().between(1, 9))
        .as(Addition::new)
        .list()
        .ofMaxSize(2000);
  }

  @Test
  void whatMayBeLargeDoesNotWait() {
    assertThat(PendingAdditions.isSmall("word", null)).isTrue();
    assertThat(PendingAdditions.isSmall("word", 1L)).isTrue();
    assertThat(PendingAdditions.isSmall(1, 0.5)).isTrue();
    assertThat(PendingAdditions.isSmall("word", "a text")).isFalse();
    assertThat(PendingAdditions.isSmall("word", new byte[1])).isFalse();
    assertThat(PendingAdditions.isSmall("a longer text".repeat(10), 1L)).isFalse();
    assertThat(PendingAdditions.isSmall(new byte[1], 1L)).isFalse();
  }
}
