// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.MetricValues.Counter;
import dev.anemone.runtime.event.MetricValues.Distribution;
import dev.anemone.runtime.event.MetricValues.Gauge;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.tez.common.counters.CounterGroup;
import org.apache.tez.common.counters.TezCounter;
import org.apache.tez.common.counters.TezCounters;

/**
 * The program's metrics of an attempt as Tez's counters, which come to the application master with
 * the heartbeats of the attempt's container. A counter's name says what it is a number of.
 */
public final class ProgramCounters {

  private static final String GROUP = "anemone-program";

  /** Not in names that people give. */
  private static final String SEPARATOR = "\u001f";

  private static final int PARTS = 4;

  /** What of a metric a counter is. */
  private enum Part {
    COUNTER,
    COUNT,
    SUM,
    MIN,
    MAX,
    GAUGE,
    SET_AT
  }

  private record Metric(String step, String namespace, String name) {}

  private ProgramCounters() {}

  /**
   * Sets the counters of an attempt that runs, or has just ended.
   *
   * @throws org.apache.tez.common.counters.LimitExceededException when Tez takes no more of them
   *     ({@code tez.counters.max})
   */
  public static void write(MetricValues values, TezCounters counters) {
    for (Counter each : values.counters()) {
      Metric metric = new Metric(each.step(), each.namespace(), each.name());
      set(counters, Part.COUNTER, metric, each.value());
    }
    for (Distribution each : values.distributions()) {
      Metric metric = new Metric(each.step(), each.namespace(), each.name());
      set(counters, Part.COUNT, metric, each.count());
      set(counters, Part.SUM, metric, each.sum());
      set(counters, Part.MIN, metric, each.min());
      set(counters, Part.MAX, metric, each.max());
    }
    for (Gauge each : values.gauges()) {
      Metric metric = new Metric(each.step(), each.namespace(), each.name());
      set(counters, Part.GAUGE, metric, each.value());
      set(counters, Part.SET_AT, metric, each.setAt());
    }
  }

  private static void set(TezCounters counters, Part part, Metric metric, long value) {
    String name =
        String.join(SEPARATOR, part.name(), metric.step(), metric.namespace(), metric.name());
    counters.findCounter(GROUP, name).setValue(value);
  }

  /**
   * What {@link #write} has set; nothing where it has set nothing.
   *
   * @param counters null for none
   * @param time of the values, in milliseconds since 1970
   */
  static MetricValues read(TezCounters counters, long time) {
    Map<Part, Map<Metric, Long>> parts = new TreeMap<>();
    for (Part part : Part.values()) {
      parts.put(part, new LinkedHashMap<>());
    }
    if (counters != null) {
      for (TezCounter counter : counters.getGroup(GROUP)) {
        String[] names = counter.getName().split(SEPARATOR, -1);
        // A name that is too long for Tez is cut.
        if (names.length == PARTS) {
          parts
              .get(Part.valueOf(names[0]))
              .put(new Metric(names[1], names[2], names[3]), counter.getValue());
        }
      }
    }
    List<Counter> counted = new ArrayList<>();
    parts
        .get(Part.COUNTER)
        .forEach((m, value) -> counted.add(new Counter(m.step(), m.namespace(), m.name(), value)));
    List<Distribution> distributions = new ArrayList<>();
    parts
        .get(Part.COUNT)
        .forEach(
            (m, count) ->
                distributions.add(
                    new Distribution(
                        m.step(),
                        m.namespace(),
                        m.name(),
                        count,
                        parts.get(Part.SUM).getOrDefault(m, 0L),
                        parts.get(Part.MIN).getOrDefault(m, 0L),
                        parts.get(Part.MAX).getOrDefault(m, 0L))));
    List<Gauge> gauges = new ArrayList<>();
    parts
        .get(Part.GAUGE)
        .forEach(
            (m, value) ->
                gauges.add(
                    new Gauge(
                        m.step(),
                        m.namespace(),
                        m.name(),
                        value,
                        parts.get(Part.SET_AT).getOrDefault(m, 0L))));
    return new MetricValues(time, counted, distributions, gauges);
  }

  /**
   * Takes them out of the counters of an attempt that has ended: Tez keeps those of all attempts
   * until the end of the job.
   */
  static void forget(TezCounters counters) {
    if (counters == null) {
      return;
    }
    CounterGroup group = counters.getGroup(GROUP);
    for (Iterator<TezCounter> all = group.iterator(); all.hasNext(); ) {
      all.next();
      all.remove();
    }
  }
}
