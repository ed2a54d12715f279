// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class HotKeyDrawTest {
  private static final int REFERENCES = 100_000;

  /** Five standard deviations of a share that is drawn so often, at most. */
  private static final double CHANCE = 5 * Math.sqrt(0.25 / REFERENCES);

  @Property(tries = 30)
  void theKeysOwnTheirShareAndDivideItByZipfsLaw(
      @ForAll @DoubleRange(min = 0.01, max = 0.99) double share,
      @ForAll @IntRange(min = 1, max = 200) int count,
      @ForAll long salt) {
    HotKeyDraw draw =
        new HotKeyDraw(new HotKeys(share, count), LongStream.rangeClosed(1, count).toArray(), salt);
    int[] drawn = new int[count];
    int none = 0;
    for (long reference = 0; reference < REFERENCES; reference++) {
      int hot = draw.draw(reference);
      if (hot < 0) {
        none++;
      } else {
        drawn[hot]++;
      }
    }

    assertThat(none / (double) REFERENCES).isCloseTo(1 - share, within(CHANCE));
    double weights = 0;
    for (int rank = 1; rank <= count; rank++) {
      weights += 1.0 / rank;
    }
    for (int rank = 1; rank <= count; rank++) {
      assertThat(drawn[rank - 1] / (double) REFERENCES)
          .as("rank %d", rank)
          .isCloseTo(share / rank / weights, within(CHANCE));
    }
  }
}
