// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import static org.apache.beam.sdk.util.construction.Environments.ENVIRONMENT_EMBEDDED;

import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.model.pipeline.v1.RunnerApi.Components;
import org.apache.beam.model.pipeline.v1.RunnerApi.Environment;
import org.apache.beam.model.pipeline.v1.RunnerApi.StandardEnvironments.Environments;
import org.apache.beam.sdk.util.construction.BeamUrns;

/**
 * Chooses where steps run that may run in one of several environments, as those that an expansion
 * service gives: in this JVM, in a worker that is there, in a process, or else in a container.
 */
final class ChosenEnvironments {

  private static final String[] PREFERRED = {
    ENVIRONMENT_EMBEDDED,
    BeamUrns.getUrn(Environments.EXTERNAL),
    BeamUrns.getUrn(Environments.PROCESS),
    BeamUrns.getUrn(Environments.DOCKER)
  };

  private ChosenEnvironments() {}

  /** The pipeline, with one environment in the place of each choice. */
  static RunnerApi.Pipeline in(RunnerApi.Pipeline pipeline) {
    Components.Builder components = pipeline.getComponents().toBuilder();
    pipeline
        .getComponents()
        .getEnvironmentsMap()
        .forEach((id, environment) -> components.putEnvironments(id, chosen(environment)));
    return pipeline.toBuilder().setComponents(components).build();
  }

  private static Environment chosen(Environment environment) {
    if (!environment.getUrn().equals(BeamUrns.getUrn(Environments.ANYOF))) {
      return environment;
    }
    return org.apache.beam.sdk.util.construction.Environments.resolveAnyOfEnvironment(
            environment, PREFERRED)
        .toBuilder()
        .putAllResourceHints(environment.getResourceHintsMap())
        .build();
  }
}
