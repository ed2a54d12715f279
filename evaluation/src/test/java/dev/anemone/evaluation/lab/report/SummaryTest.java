// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SummaryTest {
  @Test
  void theMedianOfAnOddNumberIsTheMiddleOne() {
    assertThat(Summary.of(9, 1, 4)).isEqualTo(new Summary(4, 1, 9));
  }

  @Test
  void theMedianOfAnEvenNumberLiesBetweenTheTwoInTheMiddle() {
    assertThat(Summary.of(10, 1, 4, 2)).isEqualTo(new Summary(3, 1, 10));
  }

  @Test
  void thereIsNoSummaryOfNothing() {
    assertThatIllegalArgumentException().isThrownBy(Summary::of);
  }

  @Test
  void theDeviationIsThatOfASample() {
    assertThat(Summary.deviation(List.of(2, 4, 4, 4, 5, 5, 7, 9), Integer::doubleValue))
        .isCloseTo(Math.sqrt(32.0 / 7), within(1e-12));
    assertThat(Summary.deviation(List.of(3), Integer::doubleValue)).isZero();
  }

  @Property
  void halfOfTheMeasurementsLieOnEachSideOfTheMedian(
      @ForAll @Size(min = 1, max = 40) List<@DoubleRange(min = 0, max = 1e6) Double> drawn) {
    double[] measurements = drawn.stream().mapToDouble(Double::doubleValue).toArray();
    double[] before = measurements.clone();

    Summary summary = Summary.of(measurements);

    long notAbove = Arrays.stream(measurements).filter(m -> m <= summary.median()).count();
    long notBelow = Arrays.stream(measurements).filter(m -> m >= summary.median()).count();
    assertThat(Math.min(notAbove, notBelow) * 2).isGreaterThanOrEqualTo(measurements.length);
    assertThat(summary.min()).isEqualTo(Arrays.stream(measurements).min().getAsDouble());
    assertThat(summary.max()).isEqualTo(Arrays.stream(measurements).max().getAsDouble());
    assertThat(measurements).isEqualTo(before);
  }
}
