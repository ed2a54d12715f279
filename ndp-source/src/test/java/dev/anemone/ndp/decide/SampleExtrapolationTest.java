// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

/** What is concluded from a sample lies between its own value and the proportional one. */
class SampleExtrapolationTest {

  @Property(tries = 200)
  void conclusionsLieBetweenNoGrowthAndProportion(
      @ForAll @DoubleRange(min = 1, max = 1e7) double sample,
      @ForAll @DoubleRange(min = 0, max = 1) double half,
      @ForAll @DoubleRange(min = 0, max = 100) double splits,
      @ForAll @DoubleRange(min = 0, max = 1e6) double ofHalf,
      @ForAll @DoubleRange(min = 0, max = 1e6) double ofSample) {
    SampleExtrapolation extrapolation =
        new SampleExtrapolation(half * sample, sample, splits * sample);
    assertThat(extrapolation.proportional(ofSample))
        .isBetween(ofSample, Math.max(1, splits) * ofSample * (1 + 1e-9) + 1e-9);
    assertThat(extrapolation.groups(ofHalf, ofSample))
        .isBetween(1.0, Math.max(1, splits) * (1 + 1e-9));
  }

  @Test
  void groupsThatComeAgainAreNoMoreInALargerSplit() {
    SampleExtrapolation extrapolation = new SampleExtrapolation(1e6, 2e6, 20e6);
    assertThat(extrapolation.groups(6, 6)).isEqualTo(1);
    assertThat(extrapolation.groups(500, 1_000)).isCloseTo(10, within(1e-9));
    assertThat(extrapolation.groups(500, 700)).isBetween(2.0, 5.0);
  }

  @Test
  void aSplitThatIsAllSampledIsKnown() {
    SampleExtrapolation extrapolation = new SampleExtrapolation(1e6, 2e6, 2e6);
    assertThat(extrapolation.groups(3, 8)).isEqualTo(1);
    assertThat(extrapolation.proportional(8)).isEqualTo(8);
    assertThat(new SampleExtrapolation(0, 0, 0).proportional(5)).isEqualTo(5);
  }
}
