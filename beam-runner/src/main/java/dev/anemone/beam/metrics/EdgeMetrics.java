package dev.anemone.beam.metrics;

import dev.anemone.runtime.engine.EdgeCounters;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.metrics.MetricName;

/**
 * What went over the edges of a job as Beam's counters: one for each number of {@link
 * EdgeCounters}, with its name, in the namespace {@link #NAMESPACE}. The step is the id of the
 * edge, as {@code explain} prints it; where edges share a link, their ids joined by {@code +}.
 */
public final class EdgeMetrics {

  /** No class of a user has this name, so no filter for a user's metrics finds an edge's. */
  public static final String NAMESPACE = "anemone.edge";

  private static final List<Counter> COUNTERS =
      List.of(
          new Counter("records", EdgeCounters::records),
          new Counter("rawBytes", EdgeCounters::rawBytes),
          new Counter("storedBytes", EdgeCounters::storedBytes),
          new Counter("spills", EdgeCounters::spills),
          new Counter("spilledBytes", EdgeCounters::spilledBytes),
          new Counter("diskReads", EdgeCounters::diskReads),
          new Counter("diskSeeks", EdgeCounters::diskSeeks),
          new Counter("diskReadBytes", EdgeCounters::diskReadBytes),
          new Counter("pushedBytes", EdgeCounters::pushedBytes),
          new Counter("fallenBackBytes", EdgeCounters::fallenBackBytes),
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
   */
  public static MetricsContainerStepMap of(Map<String, EdgeCounters> edges) {
    MetricsContainerStepMap metrics = new MetricsContainerStepMap();
    edges.forEach((edge, counters) -> metrics.update(edge, container(edge, counters)));
    return metrics;
  }

  private static MetricsContainerImpl container(String edge, EdgeCounters counters) {
    MetricsContainerImpl container = new MetricsContainerImpl(edge);
    for (Counter counter : COUNTERS) {
      container.getCounter(counter.name()).inc(counter.value().applyAsLong(counters));
    }
    return container;
  }
}
