// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import dev.anemone.beam.options.InvalidPipelineException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.beam.model.pipeline.v1.RunnerApi.Environment;
import org.apache.beam.model.pipeline.v1.RunnerApi.IsBounded;
import org.apache.beam.model.pipeline.v1.RunnerApi.PCollection;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.model.pipeline.v1.RunnerApi.Pipeline;
import org.apache.beam.model.pipeline.v1.RunnerApi.StandardEnvironments.Environments;
import org.apache.beam.sdk.util.construction.BeamUrns;
import org.apache.beam.sdk.util.construction.PTransformTranslation;

/** Refuses portable pipelines that cannot run, before anything runs. */
final class PortableCheck {

  private static final Set<String> REQUIREMENTS =
      Set.of(
          "beam:requirement:pardo:stateful:v1",
          "beam:requirement:pardo:on_window_expiration:v1",
          "beam:requirement:pardo:time_sorted_input:v1",
          "beam:requirement:pardo:stable_input:v1",
          "beam:requirement:pardo:splittable_dofn:v1",
          "beam:requirement:pardo:finalization:v1");

  private PortableCheck() {}

  /**
   * Checks a pipeline as it was submitted.
   *
   * @throws InvalidPipelineException names what it needs and this runner does not have
   */
  static void check(Pipeline pipeline) {
    check(pipeline, PortableCheck::isOnPath);
  }

  /** The same, on a machine that has the commands that {@code hasCommand} says. */
  static void check(Pipeline pipeline, Predicate<String> hasCommand) {
    Map<String, PTransform> transforms = pipeline.getComponents().getTransformsMap();
    transforms.values().stream()
        .filter(t -> t.getSpec().getUrn().equals(PTransformTranslation.TEST_STREAM_TRANSFORM_URN))
        .findFirst()
        .ifPresent(t -> refuse("step '" + t.getUniqueName() + "' uses a TestStream"));
    pipeline.getComponents().getPcollectionsMap().values().stream()
        .filter(collection -> collection.getIsBounded() == IsBounded.Enum.UNBOUNDED)
        .map(PCollection::getUniqueName)
        .findFirst()
        .ifPresent(name -> refuse("PCollection '" + name + "' is unbounded"));
    transforms.values().forEach(KnownSteps::check);
    Set<String> unknown = new TreeSet<>(pipeline.getRequirementsList());
    unknown.removeAll(REQUIREMENTS);
    if (!unknown.isEmpty()) {
      refuse("it requires " + String.join(", ", unknown));
    }
    checkEnvironments(pipeline, hasCommand);
  }

  private static void checkEnvironments(Pipeline pipeline, Predicate<String> hasCommand) {
    Set<String> used =
        pipeline.getComponents().getTransformsMap().values().stream()
            .map(PTransform::getEnvironmentId)
            .filter(id -> !id.isEmpty())
            .collect(Collectors.toSet());
    String docker = BeamUrns.getUrn(Environments.DOCKER);
    for (String id : used) {
      Environment environment = pipeline.getComponents().getEnvironmentsOrThrow(id);
      if (environment.getUrn().equals(docker) && !hasCommand.test("docker")) {
        throw new InvalidPipelineException(
            "The pipeline's environment '"
                + id
                + "' is a container, but this machine has no command 'docker' on its PATH. Install"
                + " Docker, or give --environment_type=LOOPBACK, or PROCESS with"
                + " --environment_option=process_command=COMMAND; for steps that an expansion"
                + " service of Python has made, give it --serve_loopback_worker, or the latter.");
      }
    }
  }

  private static boolean isOnPath(String command) {
    String path = System.getenv().getOrDefault("PATH", "");
    return List.of(path.split(File.pathSeparator)).stream()
        .map(directory -> Path.of(directory, command))
        .anyMatch(Files::isExecutable);
  }

  private static void refuse(String what) {
    throw new InvalidPipelineException(
        "NemoRunner cannot run this pipeline: "
            + what
            + ". Take that out, or run the pipeline on a runner that has it.");
  }
}
