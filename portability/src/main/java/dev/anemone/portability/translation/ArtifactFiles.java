// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.portability.harness.JobArtifact;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.beam.model.pipeline.v1.RunnerApi.ArtifactFilePayload;
import org.apache.beam.model.pipeline.v1.RunnerApi.ArtifactInformation;
import org.apache.beam.model.pipeline.v1.RunnerApi.Components;
import org.apache.beam.model.pipeline.v1.RunnerApi.Environment;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.model.pipeline.v1.RunnerApi.Pipeline;
import org.apache.beam.runners.fnexecution.artifact.ArtifactRetrievalService;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The files of this machine that a pipeline's environments need become files of its job, so that
 * harnesses have them on whatever machine they run.
 *
 * @param pipeline whose environments know the files by their names in the job
 * @param files by these names
 */
record ArtifactFiles(Pipeline pipeline, Map<String, Path> files) {

  private static final String LOCAL_SCHEME = "file:";

  /**
   * Those of a pipeline.
   *
   * @throws InvalidPipelineException when one is not there; names it
   */
  static ArtifactFiles in(Pipeline pipeline) {
    Set<String> used =
        pipeline.getComponents().getTransformsMap().values().stream()
            .map(PTransform::getEnvironmentId)
            .filter(id -> !id.isEmpty())
            .collect(Collectors.toSet());
    Map<Path, JobArtifact> artifacts = new LinkedHashMap<>();
    Components.Builder components = pipeline.getComponents().toBuilder();
    for (String id : used) {
      components.putEnvironments(
          id, renamed(pipeline.getComponents().getEnvironmentsOrThrow(id), artifacts));
    }
    Map<String, Path> files = new HashMap<>();
    artifacts.forEach((path, artifact) -> files.put(artifact.name(), path));
    return new ArtifactFiles(pipeline.toBuilder().setComponents(components).build(), files);
  }

  private static Environment renamed(Environment environment, Map<Path, JobArtifact> artifacts) {
    Environment.Builder renamed = environment.toBuilder();
    for (ArtifactInformation.Builder dependency : renamed.getDependenciesBuilderList()) {
      ArtifactInformation artifact = dependency.build();
      if (artifact.getTypeUrn().equals(ArtifactRetrievalService.FILE_ARTIFACT_URN)) {
        ArtifactFilePayload file = payload(artifact);
        Optional<Path> path = localPath(file.getPath());
        path.ifPresent(
            local ->
                dependency.mergeFrom(
                    artifacts
                        .computeIfAbsent(
                            existing(local), key -> new JobArtifact("artifact" + artifacts.size()))
                        .in(artifact, file)));
      }
    }
    return renamed.build();
  }

  private static ArtifactFilePayload payload(ArtifactInformation artifact) {
    try {
      return ArtifactFilePayload.parseFrom(artifact.getTypePayload());
    } catch (InvalidProtocolBufferException e) {
      throw new InvalidPipelineException("A staged file is not named as Beam names it", e);
    }
  }

  /** Empty for what lies on a file system that all machines reach. */
  private static Optional<Path> localPath(String path) {
    if (path.startsWith(LOCAL_SCHEME)) {
      return Optional.of(Path.of(URI.create(path)));
    }
    return path.startsWith("/") ? Optional.of(Path.of(path)) : Optional.empty();
  }

  private static Path existing(Path file) {
    if (!Files.isReadable(file)) {
      throw new InvalidPipelineException(
          "The pipeline's environment needs the file "
              + file
              + ", which is not there or cannot be read. Stage it again.");
    }
    return file;
  }
}
