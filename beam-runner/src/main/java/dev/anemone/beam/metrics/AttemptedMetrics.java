// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.spi.TaskContext;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.function.Function;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;

/**
 * What the attempts of a job's tasks in this JVM have counted so far, whatever becomes of them.
 * Thread-safe.
 */
public final class AttemptedMetrics {

  private static final String KEY = "beam-attempted-metrics";

  private final IdentityHashMap<MetricsContainerImpl, String> running = new IdentityHashMap<>();
  private final MetricsContainerStepMap ended = new MetricsContainerStepMap();

  private AttemptedMetrics() {}

  /** Those of the task's job. */
  static AttemptedMetrics of(TaskContext context) throws Exception {
    return context.shared(KEY, AttemptedMetrics::new);
  }

  /**
   * What has been counted for a job; empty when its tasks do not run in this JVM, have not begun,
   * or have ended.
   */
  public static Optional<MetricsContainerStepMap> of(RunningJob job) {
    return in(job::shared);
  }

  /** The same, by what the job's tasks in this JVM share under a key. */
  static Optional<MetricsContainerStepMap> in(Function<String, Optional<Object>> shared) {
    return shared.apply(KEY).map(AttemptedMetrics.class::cast).map(AttemptedMetrics::soFar);
  }

  /** A step begins to count. */
  synchronized void begin(String stepName, MetricsContainerImpl container) {
    running.put(container, stepName);
  }

  /** A step that has begun counts no more. */
  synchronized void end(MetricsContainerImpl container) {
    String stepName = running.remove(container);
    if (stepName != null) {
      ended.update(stepName, container);
    }
  }

  private synchronized MetricsContainerStepMap soFar() {
    MetricsContainerStepMap all = new MetricsContainerStepMap();
    all.updateAll(ended);
    running.forEach((container, stepName) -> all.update(stepName, container));
    return all;
  }
}
