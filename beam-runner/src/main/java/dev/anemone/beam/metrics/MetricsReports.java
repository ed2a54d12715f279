// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import dev.anemone.runtime.event.EventLogReader;
import dev.anemone.runtime.event.EventLogWriter;
import dev.anemone.runtime.event.JobEvent;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.beam.runners.core.metrics.MetricUpdates;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.metrics.MetricResults;

/**
 * Carries metrics, and events, from tasks to the client. A report is the names of steps and their
 * containers, as Java serializes them: unlike Beam's MonitoringInfos, that keeps names and
 * histogram buckets as they are. After them there are the lines that the events are in a log.
 */
public final class MetricsReports {

  private MetricsReports() {}

  /** The report of a step; empty if the step has counted nothing, and tells nothing. */
  static Optional<byte[]> encode(
      String stepName, MetricsContainerImpl container, List<JobEvent> told) {
    return encode(Map.of(stepName, container), told);
  }

  /** The report of an operator that runs several steps; empty if none has counted anything. */
  public static Optional<byte[]> encode(Map<String, MetricsContainerImpl> containers) {
    return encode(containers, List.of());
  }

  private static Optional<byte[]> encode(
      Map<String, MetricsContainerImpl> containers, List<JobEvent> told) {
    Map<String, MetricsContainerImpl> counted = new TreeMap<>(containers);
    counted.values().removeIf(container -> isEmpty(container.getCumulative()));
    if (counted.isEmpty() && told.isEmpty()) {
      return Optional.empty();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeInt(counted.size());
      for (Map.Entry<String, MetricsContainerImpl> step : counted.entrySet()) {
        out.writeObject(step.getKey());
        out.writeObject(step.getValue());
      }
      for (JobEvent event : told) {
        out.write(EventLogWriter.line(event));
        out.write('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the metrics of the steps " + counted.keySet() + " are not written", e);
    }
    return Optional.of(bytes.toByteArray());
  }

  private static boolean isEmpty(MetricUpdates updates) {
    return Stream.of(
            updates.counterUpdates(),
            updates.distributionUpdates(),
            updates.gaugeUpdates(),
            updates.stringSetUpdates(),
            updates.boundedTrieUpdates(),
            updates.histogramsUpdates())
        .noneMatch(kind -> kind.iterator().hasNext());
  }

  /**
   * Merges the reports of a job's tasks.
   *
   * @param reports as {@link dev.anemone.runtime.engine.JobResult#reports()} gives them
   * @throws IllegalArgumentException when one of them is no report of this runner
   */
  public static MetricsContainerStepMap merge(Iterable<byte[]> reports) {
    MetricsContainerStepMap merged = new MetricsContainerStepMap();
    for (byte[] report : reports) {
      try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(report))) {
        for (int steps = in.readInt(); steps > 0; steps--) {
          String stepName = (String) in.readObject();
          merged.update(stepName, (MetricsContainerImpl) in.readObject());
        }
      } catch (IOException | ClassNotFoundException | ClassCastException e) {
        throw new IllegalArgumentException("a task reported what are no metrics", e);
      }
    }
    return merged;
  }

  /**
   * The events in the reports of a job's tasks.
   *
   * @throws IllegalArgumentException when one of them is no report of this runner
   */
  public static List<JobEvent> events(Iterable<byte[]> reports) {
    List<JobEvent> events = new ArrayList<>();
    for (byte[] report : reports) {
      try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(report))) {
        for (int steps = in.readInt(); steps > 0; steps--) {
          in.readObject();
          in.readObject();
        }
        EventLogReader lines = new EventLogReader(in);
        for (var event = lines.next(); event.isPresent(); event = lines.next()) {
          events.add(event.get());
        }
      } catch (IOException | ClassNotFoundException e) {
        throw new IllegalArgumentException("a task reported what are no events", e);
      }
    }
    return events;
  }

  /**
   * What a user sees of merged reports. Only successful attempts report, so the attempted value of
   * a metric is its committed value.
   */
  public static MetricResults toResults(MetricsContainerStepMap merged) {
    return UserMetricNames.in(MetricsContainerStepMap.asMetricResults(merged, merged));
  }
}
