// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricResults;
import org.joda.time.Duration;

/** Of a pipeline that has no steps, or was to be explained and not to run. It is done. */
final class NothingRanResult implements PipelineResult {

  @Override
  public State getState() {
    return State.DONE;
  }

  @Override
  public State cancel() {
    return State.DONE;
  }

  @Override
  public State waitUntilFinish(Duration duration) {
    return State.DONE;
  }

  @Override
  public State waitUntilFinish() {
    return State.DONE;
  }

  @Override
  public MetricResults metrics() {
    return MetricsContainerStepMap.asAttemptedOnlyMetricResults(new MetricsContainerStepMap());
  }
}
