// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.step;

import dev.anemone.beam.spec.JobPayload;
import dev.anemone.runtime.spi.TaskContext;
import org.apache.beam.sdk.options.PipelineOptions;

/** The pipeline options of a job, parsed once in each JVM. */
public final class JobOptions {

  private static final String KEY = "beam-pipeline-options";

  private JobOptions() {}

  /** The options of a task's job. */
  public static PipelineOptions of(TaskContext context) throws Exception {
    return context.shared(KEY, () -> JobPayload.fromBytes(context.jobPayload()).options());
  }
}
