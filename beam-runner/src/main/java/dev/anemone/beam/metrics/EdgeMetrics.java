// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import dev.anemone.runtime.engine.EdgeCounters;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.runners.core.metrics.MonitoringInfoConstants;
import org.apache.beam.runners.core.metrics.MonitoringInfoMetricName;
import org.apache.beam.sdk.metrics.Distribution;
import org.apache.beam.sdk.metrics.MetricName;
import org.apache.beam.sdk.metrics.MetricsContainer;

/**
 * What went over the edges of a job as Beam's metrics: a counter for each number of {@link
 * EdgeCounters}, with its name, and the distribution {@link #READ_BYTES_PER_TASK}, all in the
 * namespace {@link #NAMESPACE}. The step is the id of the edge, as {@code explain} prints it; where
 * edges share a link, their ids joined by {@code +}.
 */
public final class EdgeMetrics {

  /** No class of a user has this name, so no filter for a user's metrics finds an edge's. */
  public static final String NAMESPACE = "anemone.edge";

  /**
   * Bytes of keys and values that a consumer task has read over the edge, before compression: one
   * value for each task.
   */
  public static final String READ_BYTES_PER_TASK = "readBytesPerTask";

  private static final List<Counter> COUNTERS =
      List.of(
          new Counter("records", edge -> edge.written().records()),
          new Counter("rawBytes", edge -> edge.written().rawBytes()),
          new Counter("storedBytes", edge -> edge.written().storedBytes()),
          new Counter("spills", edge -> edge.spilled().spills()),
          new Counter("spilledBytes", edge -> edge.spilled().spilledBytes()),
          new Counter("diskReads", edge -> edge.disk().diskReads()),
          new Counter("diskSeeks", edge -> edge.disk().diskSeeks()),
          new Counter("diskReadBytes", edge -> edge.disk().diskReadBytes()),
          new Counter("poolWrittenBytes", edge -> edge.pooled().poolWrittenBytes()),
          new Counter("overflowedBytes", edge -> edge.pooled().overflowedBytes()),
          new Counter("poolReadBytes", edge -> edge.pooled().poolReadBytes()),
          new Counter("cacheHits", edge -> edge.cached().cacheHits()),
          new Counter("cacheMisses", edge -> edge.cached().cacheMisses()),
          new Counter("cacheHitBytes", edge -> edge.cached().cacheHitBytes()),
          new Counter("nameHits", edge -> edge.cached().nameHits()),
          new Counter("nameMisses", edge -> edge.cached().nameMisses()),
          new Counter("pushedBytes", edge -> edge.pushed().pushedBytes()),
          new Counter("transportBytes", edge -> edge.pushed().transportBytes()),
          new Counter("fallenBackBytes", edge -> edge.pushed().fallenBackBytes()),
          new Counter("fetchedBytes", edge -> edge.fetched().fetchedBytes()),
          new Counter("transportFetchedBytes", edge -> edge.fetched().transportFetchedBytes()),
          new Counter("memoryPeakBytes", EdgeCounters::memoryPeakBytes));

  private EdgeMetrics() {}

  private record Counter(MetricName name, ToLongFunction<EdgeCounters> value) {

    Counter(String name, ToLongFunction<EdgeCounters> value) {
      this(MetricName.named(NAMESPACE, name), value);
    }
  }

  /**
   * The metrics of a job that has ended.
   *
   * @param edges by edge id, as {@link dev.anemone.runtime.engine.JobResult#edges()} gives them
   * @param readBytes likewise, {@link dev.anemone.runtime.engine.JobResult#readBytes()}
   */
  public static MetricsContainerStepMap of(
      Map<String, EdgeCounters> edges, Map<String, List<Long>> readBytes) {
    MetricsContainerStepMap metrics = new MetricsContainerStepMap();
    edges.forEach((edge, counters) -> count(edge, counters, metrics.getContainer(edge)));
    readBytes.forEach((edge, bytes) -> distribute(bytes, metrics.getContainer(edge)));
    return metrics;
  }

  private static void count(String edge, EdgeCounters counters, MetricsContainer container) {
    container.getCounter(elementCount(edge)).inc(counters.written().records());
    for (Counter counter : COUNTERS) {
      container.getCounter(counter.name()).inc(counter.value().applyAsLong(counters));
    }
  }

  /** The records of an edge by the name that Beam has for them, for sinks that know only that. */
  private static MetricName elementCount(String edge) {
    return MonitoringInfoMetricName.named(
        MonitoringInfoConstants.Urns.ELEMENT_COUNT,
        Map.of(MonitoringInfoConstants.Labels.PCOLLECTION, edge));
  }

  private static void distribute(List<Long> bytesPerTask, MetricsContainer container) {
    Distribution distribution =
        container.getDistribution(MetricName.named(NAMESPACE, READ_BYTES_PER_TASK));
    bytesPerTask.forEach(distribution::update);
  }
}
