// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class PowerLawTest {

  @Test
  void findsTheExponent() {
    assertThat(PowerLaw.exponent(List.of(100.0, 300.0, 1000.0), x -> x, x -> 7 * x * x))
        .hasValueCloseTo(2.0, within(1e-9));
  }

  @Test
  void whatIsMuchSmallerThanTheLargestDoesNotCount() {
    assertThat(PowerLaw.exponent(List.of(1.0, 100.0, 1000.0), x -> x, x -> x < 50 ? 1e6 : x))
        .hasValueCloseTo(1.0, within(1e-9));
  }

  @Test
  void findsTheCurve() {
    assertThat(PowerLaw.of(List.of(100.0, 1000.0), x -> x, x -> 7 * x * x).orElseThrow().at(10))
        .isCloseTo(700, within(1e-6));
  }

  @Test
  void onePointHasNone() {
    assertThat(PowerLaw.exponent(List.of(5.0), x -> x, x -> x)).isEmpty();
  }

  @Test
  void whatIsNothingHasNone() {
    assertThat(PowerLaw.exponent(List.of(5.0, 6.0), x -> x, x -> 0)).isEmpty();
  }
}
