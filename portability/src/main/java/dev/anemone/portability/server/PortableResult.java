// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import dev.anemone.beam.NemoPipelineResult;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobState;
import org.apache.beam.model.jobmanagement.v1.JobApi.MetricResults;
import org.apache.beam.sdk.PipelineResult;

/**
 * What a job came to, as the Job API tells it.
 *
 * @param state its last one
 * @param metrics what it has counted
 */
record PortableResult(JobState.Enum state, MetricResults metrics) {

  /** Of a pipeline that has ended. */
  static PortableResult of(PipelineResult result) {
    return new PortableResult(stateOf(result.getState()), metricsOf(result));
  }

  private static MetricResults metricsOf(PipelineResult result) {
    if (!(result instanceof NemoPipelineResult ran)) {
      return MetricResults.getDefaultInstance();
    }
    // Only successful attempts report, so what was attempted is what was committed.
    return MetricResults.newBuilder()
        .addAllAttempted(ran.monitoringInfos())
        .addAllCommitted(ran.monitoringInfos())
        .build();
  }

  private static JobState.Enum stateOf(PipelineResult.State state) {
    return switch (state) {
      case DONE -> JobState.Enum.DONE;
      case CANCELLED -> JobState.Enum.CANCELLED;
      default -> JobState.Enum.FAILED;
    };
  }
}
