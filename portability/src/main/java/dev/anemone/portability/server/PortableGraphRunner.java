// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import dev.anemone.beam.GraphRun;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.portability.translation.PortableTranslator;
import java.util.List;
import java.util.Optional;
import org.apache.beam.model.pipeline.v1.RunnerApi.Pipeline;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;

/** Runs a portable pipeline as a graph, and waits for its end; stateless. */
final class PortableGraphRunner implements SubmittedJob.Runner {

  @Override
  public PortableResult run(Pipeline pipeline, JobInfo job) {
    PortableTranslator translator = PortableTranslator.of(pipeline, job);
    PipelineOptions options = PipelineOptionsTranslation.fromProto(job.pipelineOptions());
    options.setJobName(job.jobName());
    options.as(NemoPipelineOptions.class).setBlockOnRun(true);
    PipelineResult result =
        GraphRun.of(options)
            .run(slots -> translator.translate(), List.of(), List.of(), Optional.empty());
    if (!result.getState().isTerminal()) {
      result.waitUntilFinish();
    }
    return PortableResult.of(result);
  }
}
