// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import java.util.UUID;
import org.apache.beam.model.pipeline.v1.RunnerApi.Pipeline;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.runners.jobsubmission.JobInvocation;
import org.apache.beam.runners.jobsubmission.JobInvoker;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Struct;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.util.concurrent.ListeningExecutorService;

/** Makes a job of a pipeline that has been prepared and whose files have been staged. */
final class GraphInvoker extends JobInvoker {

  private static final String FILES_TO_STAGE = "beam:option:files_to_stage:v1";

  private final JobDefaults defaults;

  GraphInvoker(JobDefaults defaults) {
    super("anemone-job-%d");
    this.defaults = defaults;
  }

  @Override
  protected JobInvocation invokeWithExecutor(
      Pipeline pipeline, Struct given, String retrievalToken, ListeningExecutorService executor) {
    // To the runner these are jars for the class path; Python has staged them as artifacts already.
    Struct options = defaults.in(given.toBuilder().removeFields(FILES_TO_STAGE).build());
    PipelineOptions parsed = PipelineOptionsTranslation.fromProto(options);
    String id = parsed.getJobName() + "_" + UUID.randomUUID();
    JobInfo job = JobInfo.create(id, parsed.getJobName(), retrievalToken, options);
    return new JobInvocation(job, executor, pipeline, new PortableGraphRunner());
  }
}
