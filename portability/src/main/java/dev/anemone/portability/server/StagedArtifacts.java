// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.model.pipeline.v1.RunnerApi.ArtifactFilePayload;
import org.apache.beam.model.pipeline.v1.RunnerApi.ArtifactInformation;
import org.apache.beam.model.pipeline.v1.RunnerApi.ArtifactStagingToRolePayload;
import org.apache.beam.model.pipeline.v1.RunnerApi.Components;
import org.apache.beam.model.pipeline.v1.RunnerApi.Environment;
import org.apache.beam.model.pipeline.v1.RunnerApi.Pipeline;
import org.apache.beam.model.pipeline.v1.RunnerApi.StandardArtifacts;
import org.apache.beam.runners.fnexecution.artifact.ArtifactStagingService;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.util.construction.BeamUrns;
import org.apache.beam.sdk.util.construction.Environments;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.hash.Hashing;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.hash.HashingInputStream;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.io.ByteStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files that programs stage for the environments of their pipelines. Thread-safe. */
final class StagedArtifacts {

  private static final Logger LOG = LoggerFactory.getLogger(StagedArtifacts.class);
  private static final String FILE = BeamUrns.getUrn(StandardArtifacts.Types.FILE);
  private static final String STAGED_TO = BeamUrns.getUrn(StandardArtifacts.Roles.STAGING_TO);

  private final ArtifactStagingService service;

  StagedArtifacts(ArtifactStagingService service) {
    this.service = service;
  }

  /** A program is about to stage what a pipeline needs, under a token of its own. */
  void expect(String token, Pipeline pipeline) {
    Map<String, List<ArtifactInformation>> expected = new HashMap<>();
    pipeline
        .getComponents()
        .getEnvironmentsMap()
        .forEach(
            (id, environment) -> {
              List<Environment> choices = Environments.expandAnyOfEnvironments(environment);
              for (int i = 0; i < choices.size(); i++) {
                expected.put(i + ":" + id, choices.get(i).getDependenciesList());
              }
            });
    service.registerJob(token, expected);
  }

  /**
   * The pipeline, with the files as they have been staged.
   *
   * @throws InvalidJobException when a file has not been staged, or has other bytes than declared;
   *     names it
   * @throws IOException when a staged file cannot be read
   */
  Pipeline staged(Pipeline pipeline, String token) throws IOException {
    Optional<Map<String, List<ArtifactInformation>>> staged =
        Optional.ofNullable(service.getStagedArtifacts(token));
    Components.Builder components = pipeline.getComponents().toBuilder();
    for (Map.Entry<String, Environment> entry :
        pipeline.getComponents().getEnvironmentsMap().entrySet()) {
      List<Environment> choices = new ArrayList<>();
      for (Environment choice : Environments.expandAnyOfEnvironments(entry.getValue())) {
        String key = choices.size() + ":" + entry.getKey();
        choices.add(staged(entry.getKey(), choice, staged.map(all -> all.get(key))));
      }
      components.putEnvironments(
          entry.getKey(),
          choices.size() == 1
              ? choices.get(0)
              : Environments.createAnyOfEnvironment(choices.toArray(Environment[]::new)).toBuilder()
                  .putAllResourceHints(entry.getValue().getResourceHintsMap())
                  .build());
    }
    return pipeline.toBuilder().setComponents(components).build();
  }

  private static Environment staged(
      String id, Environment environment, Optional<List<ArtifactInformation>> staged)
      throws IOException {
    if (environment.getDependenciesCount() == 0) {
      return environment;
    }
    List<ArtifactInformation> files =
        staged.orElseThrow(
            () ->
                new InvalidJobException(
                    "The environment '"
                        + id
                        + "' of the pipeline has files that were not staged. Stage them between the"
                        + " preparation of the job and its run."));
    checkHashes(id, environment.getDependenciesList(), files);
    return environment.toBuilder().clearDependencies().addAllDependencies(files).build();
  }

  private static void checkHashes(
      String id, List<ArtifactInformation> declared, List<ArtifactInformation> staged)
      throws IOException {
    Map<String, String> hashes = new HashMap<>();
    for (ArtifactInformation artifact : declared) {
      if (artifact.getTypeUrn().equals(FILE)) {
        hashes.put(name(artifact), file(artifact).getSha256());
      }
    }
    for (ArtifactInformation artifact : staged) {
      String expected = hashes.getOrDefault(name(artifact), "");
      if (!expected.isEmpty() && artifact.getTypeUrn().equals(FILE)) {
        String found = sha256(file(artifact).getPath());
        if (!expected.equalsIgnoreCase(found)) {
          throw new InvalidJobException(
              "The file '"
                  + name(artifact)
                  + "' of the pipeline's environment '"
                  + id
                  + "' was declared with the SHA-256 "
                  + expected
                  + ", but what was staged has "
                  + found
                  + ". Submit the pipeline again, with a file that does not change meanwhile.");
        }
      }
    }
  }

  private static String name(ArtifactInformation artifact) throws InvalidProtocolBufferException {
    return artifact.getRoleUrn().equals(STAGED_TO)
        ? ArtifactStagingToRolePayload.parseFrom(artifact.getRolePayload()).getStagedName()
        : "";
  }

  private static ArtifactFilePayload file(ArtifactInformation artifact)
      throws InvalidProtocolBufferException {
    return ArtifactFilePayload.parseFrom(artifact.getTypePayload());
  }

  private static String sha256(String path) throws IOException {
    try (InputStream in =
            Channels.newInputStream(FileSystems.open(FileSystems.matchNewResource(path, false)));
        HashingInputStream hashing = new HashingInputStream(Hashing.sha256(), in)) {
      ByteStreams.exhaust(hashing);
      return hashing.hash().toString();
    }
  }

  /** Deletes what has been staged under a token. */
  void remove(String token) {
    service.getStagedArtifacts(token);
    try {
      service.removeStagedArtifacts(token);
    } catch (FileNotFoundException e) {
      LOG.debug("Nothing was staged for {}.", token);
    } catch (IOException e) {
      LOG.warn("The files that were staged for {} cannot be deleted.", token, e);
    }
  }
}
