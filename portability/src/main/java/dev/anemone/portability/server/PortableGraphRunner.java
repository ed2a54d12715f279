// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import dev.anemone.beam.GraphRun;
import dev.anemone.beam.options.InvalidPipelineException;
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
    refuseDetached(options);
    // Whoever submitted the job asks the server for its end.
    options.as(NemoPipelineOptions.class).setBlockOnRun(true);
    GraphRun run = GraphRun.of(options);
    LoopbackWorkers.check(job.pipelineOptions(), run::hosts);
    PipelineResult result =
        run.run(slots -> translator.translate(), List.of(), List.of(), Optional.empty());
    if (!result.getState().isTerminal()) {
      result.waitUntilFinish();
    }
    return PortableResult.of(result);
  }

  private static void refuseDetached(PipelineOptions options) {
    if (options.as(NemoPipelineOptions.class).getDetached()) {
      throw new InvalidPipelineException(
          "--detached is for programs that run their jobs themselves: a job server follows its jobs"
              + " to their end, with or without the program that has submitted them. Leave it out.");
    }
  }
}
