// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.util.List;
import java.util.Objects;

/**
 * Values of the program's own metrics. Committed ones, at the end of a job; while it runs they are
 * attempted ones, which are told to those who listen, and not written to its log.
 */
public record MetricValues(
    long time, List<Counter> counters, List<Distribution> distributions, List<Gauge> gauges)
    implements JobEvent {

  public MetricValues {
    counters = Absent.list(counters);
    distributions = Absent.list(distributions);
    gauges = Absent.list(gauges);
  }

  /** A counter of a step. */
  public record Counter(String step, String namespace, String name, long value) {

    public Counter {
      step = Absent.text(step);
      namespace = Absent.text(namespace);
      Objects.requireNonNull(name, "name");
    }
  }

  /** A distribution of whole numbers of a step; without values, {@code count} is 0. */
  public record Distribution(
      String step, String namespace, String name, long count, long sum, long min, long max) {

    public Distribution {
      step = Absent.text(step);
      namespace = Absent.text(namespace);
      Objects.requireNonNull(name, "name");
    }
  }

  /**
   * The last value of a gauge.
   *
   * @param setAt when it was set, in milliseconds since 1970
   */
  public record Gauge(String step, String namespace, String name, long value, long setAt) {

    public Gauge {
      step = Absent.text(step);
      namespace = Absent.text(namespace);
      Objects.requireNonNull(name, "name");
    }
  }
}
