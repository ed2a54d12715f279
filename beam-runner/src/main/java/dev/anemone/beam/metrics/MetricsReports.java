// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.beam.runners.core.metrics.MetricUpdates;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.metrics.MetricResults;

/**
 * Carries metrics from tasks to the client. A report is one step's name and its container, as Java
 * serializes them: unlike Beam's MonitoringInfos, that keeps names and histogram buckets as they
 * are.
 */
public final class MetricsReports {

  private MetricsReports() {}

  /** The report of a step; empty if the step has counted nothing. */
  static Optional<byte[]> encode(String stepName, MetricsContainerImpl container) {
    if (isEmpty(container.getCumulative())) {
      return Optional.empty();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(stepName);
      out.writeObject(container);
    } catch (IOException e) {
      throw new UncheckedIOException("the metrics of step '" + stepName + "' are not written", e);
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
        String stepName = (String) in.readObject();
        merged.update(stepName, (MetricsContainerImpl) in.readObject());
      } catch (IOException | ClassNotFoundException | ClassCastException e) {
        throw new IllegalArgumentException("a task reported what are no metrics", e);
      }
    }
    return merged;
  }

  /**
   * What a user sees of merged reports. Only successful attempts report, so the attempted value of
   * a metric is its committed value.
   */
  public static MetricResults toResults(MetricsContainerStepMap merged) {
    return MetricsContainerStepMap.asMetricResults(merged, merged);
  }
}
