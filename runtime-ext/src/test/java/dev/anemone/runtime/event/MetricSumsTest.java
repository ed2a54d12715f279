// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.event.MetricValues.Counter;
import dev.anemone.runtime.event.MetricValues.Distribution;
import dev.anemone.runtime.event.MetricValues.Gauge;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricSumsTest {

  private static MetricValues values(long counted, Distribution distribution, Gauge gauge) {
    return new MetricValues(
        0, List.of(new Counter("s", "n", "lines", counted)), List.of(distribution), List.of(gauge));
  }

  private static Distribution distribution(long count, long sum, long min, long max) {
    return new Distribution("s", "n", "sizes", count, sum, min, max);
  }

  private static Gauge gauge(long value, long setAt) {
    return new Gauge("s", "n", "level", value, setAt);
  }

  @Test
  void whatOthersCountIsAdded() {
    MetricValues sum =
        new MetricSums()
            .add(values(1, distribution(2, 30, 10, 20), gauge(5, 100)))
            .add(values(4, distribution(1, 3, 3, 3), gauge(6, 90)))
            .add(values(0, distribution(0, 0, 0, 0), gauge(7, 80)))
            .values(9);

    assertThat(sum.time()).isEqualTo(9);
    assertThat(sum.counters()).containsExactly(new Counter("s", "n", "lines", 5));
    assertThat(sum.distributions()).containsExactly(distribution(3, 33, 3, 20));
    assertThat(sum.gauges()).containsExactly(gauge(5, 100));
  }

  @Test
  void ofTwoWhoCountTheSameTheOneWithMoreIsTaken() {
    MetricValues larger =
        new MetricSums()
            .add(values(7, distribution(2, 30, 10, 20), gauge(5, 100)))
            .raise(values(6, distribution(3, 31, 1, 20), gauge(6, 101)))
            .values(9);

    assertThat(larger.counters()).containsExactly(new Counter("s", "n", "lines", 7));
    assertThat(larger.distributions()).containsExactly(distribution(3, 31, 1, 20));
    assertThat(larger.gauges()).containsExactly(gauge(6, 101));
  }

  @Test
  void stepsAreKeptApart() {
    MetricValues one =
        new MetricValues(
            0,
            List.of(new Counter("a", "n", "x", 1), new Counter("b", "n", "x", 2)),
            List.of(),
            List.of());

    assertThat(new MetricSums().add(one).add(one).values(0).counters())
        .containsExactly(new Counter("a", "n", "x", 2), new Counter("b", "n", "x", 4));
  }
}
