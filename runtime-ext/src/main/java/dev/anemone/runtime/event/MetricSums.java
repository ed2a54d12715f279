// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import dev.anemone.runtime.event.MetricValues.Counter;
import dev.anemone.runtime.event.MetricValues.Distribution;
import dev.anemone.runtime.event.MetricValues.Gauge;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/** Metrics that are known in parts, put together. Not thread-safe. */
public final class MetricSums {

  private final Map<Key, Counter> counters = new TreeMap<>();
  private final Map<Key, Distribution> distributions = new TreeMap<>();
  private final Map<Key, Gauge> gauges = new TreeMap<>();

  private record Key(String step, String namespace, String name) implements Comparable<Key> {

    @Override
    public int compareTo(Key other) {
      int byStep = step.compareTo(other.step);
      int byNamespace = byStep == 0 ? namespace.compareTo(other.namespace) : byStep;
      return byNamespace == 0 ? name.compareTo(other.name) : byNamespace;
    }
  }

  /** Adds what others have counted. */
  public MetricSums add(MetricValues more) {
    return merge(more, MetricSums::sum, MetricSums::sum);
  }

  /**
   * Takes what another one knows of the same counting: of each metric the value for which more was
   * counted.
   */
  public MetricSums raise(MetricValues other) {
    return merge(
        other, (a, b) -> a.value() >= b.value() ? a : b, (a, b) -> a.count() >= b.count() ? a : b);
  }

  private MetricSums merge(
      MetricValues more,
      BinaryOperator<Counter> ofCounters,
      BinaryOperator<Distribution> ofDistributions) {
    for (Counter each : more.counters()) {
      counters.merge(new Key(each.step(), each.namespace(), each.name()), each, ofCounters);
    }
    for (Distribution each : more.distributions()) {
      distributions.merge(
          new Key(each.step(), each.namespace(), each.name()), each, ofDistributions);
    }
    for (Gauge each : more.gauges()) {
      gauges.merge(
          new Key(each.step(), each.namespace(), each.name()),
          each,
          (a, b) -> a.setAt() > b.setAt() ? a : b);
    }
    return this;
  }

  private static Counter sum(Counter a, Counter b) {
    return new Counter(a.step(), a.namespace(), a.name(), a.value() + b.value());
  }

  private static Distribution sum(Distribution a, Distribution b) {
    if (a.count() == 0 || b.count() == 0) {
      return a.count() == 0 ? b : a;
    }
    return new Distribution(
        a.step(),
        a.namespace(),
        a.name(),
        a.count() + b.count(),
        a.sum() + b.sum(),
        Math.min(a.min(), b.min()),
        Math.max(a.max(), b.max()));
  }

  /**
   * What there is now.
   *
   * @param time of the event, in milliseconds since 1970
   */
  public MetricValues values(long time) {
    return new MetricValues(
        time,
        new ArrayList<>(counters.values()),
        new ArrayList<>(distributions.values()),
        new ArrayList<>(gauges.values()));
  }
}
