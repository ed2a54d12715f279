// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import dev.anemone.beam.NemoPipelineResult;
import java.io.IOException;
import org.apache.beam.model.jobmanagement.v1.JobApi;
import org.apache.beam.runners.jobsubmission.PortablePipelineResult;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricResults;
import org.joda.time.Duration;

/** What a job came to, as the Job API tells it. Thread-safe. */
final class PortableResult implements PortablePipelineResult {

  private final PipelineResult result;

  private PortableResult(PipelineResult result) {
    this.result = result;
  }

  static PortableResult of(PipelineResult result) {
    return new PortableResult(result);
  }

  @Override
  public JobApi.MetricResults portableMetrics() {
    if (!(result instanceof NemoPipelineResult ran)) {
      return JobApi.MetricResults.getDefaultInstance();
    }
    // Only successful attempts report, so what was attempted is what was committed.
    return JobApi.MetricResults.newBuilder()
        .addAllAttempted(ran.monitoringInfos())
        .addAllCommitted(ran.monitoringInfos())
        .build();
  }

  @Override
  public State getState() {
    return result.getState();
  }

  @Override
  public State cancel() throws IOException {
    return result.cancel();
  }

  @Override
  public State waitUntilFinish(Duration duration) {
    return result.waitUntilFinish(duration);
  }

  @Override
  public State waitUntilFinish() {
    return result.waitUntilFinish();
  }

  @Override
  public MetricResults metrics() {
    return result.metrics();
  }
}
