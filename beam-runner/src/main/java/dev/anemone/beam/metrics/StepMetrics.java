// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.spi.TaskContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.sdk.metrics.MetricsContainer;
import org.apache.beam.sdk.metrics.MetricsEnvironment;
import org.apache.beam.sdk.metrics.MetricsEnvironment.MetricsEnvironmentState;

/**
 * The metrics of one step in one task. Steps that are fused call each other, so each sets its own
 * container when it is entered and the caller's when it is left:
 *
 * <pre>
 * MetricsContainer caller = metrics.enter();
 * try {
 *   ... user code ...
 * } finally {
 *   metrics.leave(caller);
 * }
 * </pre>
 *
 * <p>Used by the one thread that made it: the thread's state is looked up once, not per element.
 */
public final class StepMetrics {

  private final String stepName;
  private final MetricsContainerImpl container;
  private final MetricsEnvironmentState thread;
  private final AttemptedMetrics attempted;
  private final List<JobEvent> told = new ArrayList<>();

  /** Metrics of the step with this full name, which begins to count. */
  public StepMetrics(String stepName, TaskContext context) throws Exception {
    this.stepName = stepName;
    this.container = new MetricsContainerImpl(stepName);
    this.thread = MetricsEnvironment.getMetricsEnvironmentStateForCurrentThread();
    this.attempted = AttemptedMetrics.of(context);
    attempted.begin(stepName, container);
    context.counts(() -> MetricEvents.of(stepName, container));
  }

  /** Sends what user code on this thread counts to this step; returns where it went before. */
  public MetricsContainer enter() {
    return thread.activate(container);
  }

  /** Undoes {@link #enter}. */
  public void leave(MetricsContainer caller) {
    thread.activate(caller);
  }

  /** The step counts no more in this task. */
  public void end() {
    attempted.end(container);
  }

  /** Something that those who watch the job shall know, if this attempt succeeds. */
  public void tell(JobEvent event) {
    told.add(event);
  }

  /** The values so far, and what was told, for {@link MetricsReports}; empty if there are none. */
  public Optional<byte[]> report() {
    return MetricsReports.encode(stepName, container, told);
  }
}
