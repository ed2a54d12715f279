// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.MetricValues.Counter;
import dev.anemone.runtime.event.MetricValues.Distribution;
import dev.anemone.runtime.event.MetricValues.Gauge;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.tez.common.counters.TezCounters;
import org.junit.jupiter.api.Test;

class ProgramCountersTest {

  private static final MetricValues COUNTED =
      new MetricValues(
          7,
          List.of(new Counter("a/b", "n", "x", 3), new Counter("", "n", "x", 0)),
          List.of(new Distribution("a/b", "n", "sizes", 2, 30, -10, 40)),
          List.of(new Gauge("a/b", "", "level", 5, 1_767_225_600_000L)));

  private static TezCounters sent(TezCounters counters) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    counters.write(new DataOutputStream(bytes));
    TezCounters received = new TezCounters();
    received.readFields(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    return received;
  }

  @Test
  void metricsAreTheSameBehindAHeartbeat() throws IOException {
    TezCounters counters = new TezCounters();
    ProgramCounters.write(COUNTED, counters);

    MetricValues received = ProgramCounters.read(sent(counters), 7);

    assertThat(received.counters()).containsExactlyInAnyOrderElementsOf(COUNTED.counters());
    assertThat(received.distributions()).isEqualTo(COUNTED.distributions());
    assertThat(received.gauges()).isEqualTo(COUNTED.gauges());
  }

  @Test
  void theLastValueCounts() {
    TezCounters counters = new TezCounters();
    ProgramCounters.write(COUNTED, counters);
    ProgramCounters.write(
        new MetricValues(8, List.of(new Counter("a/b", "n", "x", 4)), List.of(), List.of()),
        counters);

    assertThat(ProgramCounters.read(counters, 8).counters())
        .contains(new Counter("a/b", "n", "x", 4));
  }

  @Test
  void whatIsForgottenIsNotKeptByTez() throws IOException {
    TezCounters counters = new TezCounters();
    counters.findCounter("other", "kept").setValue(1);
    ProgramCounters.write(COUNTED, counters);

    ProgramCounters.forget(counters);

    assertThat(ProgramCounters.read(sent(counters), 7).counters()).isEmpty();
    assertThat(counters.findCounter("other", "kept").getValue()).isEqualTo(1);
    ProgramCounters.forget(null);
  }

  @Test
  void anAttemptThatCountsNothingHasNothing() {
    assertThat(ProgramCounters.read(null, 7))
        .isEqualTo(new MetricValues(7, List.of(), List.of(), List.of()));
    assertThat(ProgramCounters.read(new TezCounters(), 7).counters()).isEmpty();
  }
}
