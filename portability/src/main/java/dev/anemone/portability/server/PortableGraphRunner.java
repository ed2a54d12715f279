// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import dev.anemone.beam.GraphRun;
import dev.anemone.portability.translation.PortableTranslator;
import java.util.List;
import java.util.Optional;
import org.apache.beam.model.pipeline.v1.RunnerApi.Pipeline;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.runners.jobsubmission.PortablePipelineResult;
import org.apache.beam.runners.jobsubmission.PortablePipelineRunner;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;

/** Runs a portable pipeline as a graph, and waits for its end; stateless. */
final class PortableGraphRunner implements PortablePipelineRunner {

  @Override
  public PortablePipelineResult run(Pipeline pipeline, JobInfo job) {
    PortableTranslator translator = PortableTranslator.of(pipeline, job);
    PipelineOptions options = PipelineOptionsTranslation.fromProto(job.pipelineOptions());
    options.setJobName(job.jobName());
    return PortableResult.of(
        GraphRun.of(options)
            .run(slots -> translator.translate(), List.of(), List.of(), Optional.empty()));
  }
}
