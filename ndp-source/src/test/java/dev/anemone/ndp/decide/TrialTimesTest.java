// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What little queries say of large ones. */
class TrialTimesTest {

  private static final SampleExtrapolation SIXTEEN_TIMES = new SampleExtrapolation(32, 256, 4096);

  @Test
  void onlyWhatRowsTakeIsTakenForEachOfThem() {
    assertThat(ofSplit(0.009, 0.005, 0.013, 0.005)).containsExactly(0.069, 0.133);
  }

  @Test
  void aLittleMoreIsChance() {
    assertThat(ofSplit(0.009, 0.005, 0.0098, 0.005)).containsExactly(0.069, 0.069);
    assertThat(ofSplit(0.009, 0.005, 0.008, 0.005)).containsExactly(0.069, 0.069);
    assertThat(ofSplit(0.009, 0.005, 0.011, 0.007))
        .as("a longer query takes its time once")
        .containsExactly(0.069, 0.071);
  }

  @Test
  void whatIsDoneBeforeQueriesGrowsToo() {
    TrialTimes times = new TrialTimes();
    times.add(0.009, 0.005);
    assertThat(times.ofSplit(SIXTEEN_TIMES, 0.001).get(0)).isCloseTo(0.085, within(1e-9));
  }

  private static List<Double> ofSplit(
      double first, double firstOnNoRows, double second, double secondOnNoRows) {
    TrialTimes times = new TrialTimes();
    times.add(first, firstOnNoRows);
    times.add(second, secondOnNoRows);
    return times.ofSplit(SIXTEEN_TIMES, 0).stream()
        .map(seconds -> Math.round(seconds * 1e6) / 1e6)
        .toList();
  }
}
