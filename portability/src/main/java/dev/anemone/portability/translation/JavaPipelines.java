// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.translation.PortableTranslation;
import dev.anemone.beam.translation.Translation;
import java.util.List;
import java.util.UUID;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PortablePipelineOptions;
import org.apache.beam.sdk.util.construction.DefaultArtifactResolver;
import org.apache.beam.sdk.util.construction.Environments;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;
import org.apache.beam.sdk.util.construction.PipelineTranslation;
import org.apache.beam.sdk.util.construction.SdkComponents;

/**
 * Pipelines of Java that take the portable way: those with steps of other SDKs, and those that ask
 * for it. Java's functions run in the JVM of the task, if the options name no other environment.
 * Stateless.
 */
public final class JavaPipelines implements PortableTranslation {

  @Override
  public Translation translate(Pipeline pipeline, PipelineOptions options) {
    String name = options.getJobName();
    PipelineOptions own = withEnvironment(options);
    RunnerApi.Pipeline proto = PipelineTranslation.toProto(pipeline, SdkComponents.create(own));
    RunnerApi.Pipeline staged = DefaultArtifactResolver.INSTANCE.resolveArtifacts(proto);
    JobInfo job =
        JobInfo.create(
            name + "_" + UUID.randomUUID(), name, "", PipelineOptionsTranslation.toProto(own));
    return PortableTranslator.of(NamedSteps.in(staged), job).translate();
  }

  /** A copy, since the options are the program's. */
  private static PipelineOptions withEnvironment(PipelineOptions options) {
    PipelineOptions copy =
        PipelineOptionsTranslation.fromProto(PipelineOptionsTranslation.toProto(options));
    PortablePipelineOptions portable = copy.as(PortablePipelineOptions.class);
    String type = portable.getDefaultEnvironmentType();
    if (type == null) {
      portable.setDefaultEnvironmentType(Environments.ENVIRONMENT_EMBEDDED);
      // The task's JVM has the program's class path.
      portable.setFilesToStage(List.of());
    } else if (type.equals(Environments.ENVIRONMENT_LOOPBACK)) {
      throw new InvalidPipelineException(
          "--defaultEnvironmentType=LOOPBACK is for programs that submit to a job server. Leave it"
              + " out: the functions of a Java pipeline run in the JVM of their task then; or give"
              + " EXTERNAL, PROCESS or DOCKER.");
    }
    return copy;
  }
}
