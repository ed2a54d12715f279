// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import java.util.Optional;
import org.apache.beam.model.pipeline.v1.RunnerApi.ArtifactFilePayload;
import org.apache.beam.model.pipeline.v1.RunnerApi.ArtifactInformation;
import org.apache.beam.runners.fnexecution.artifact.ArtifactRetrievalService;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.InvalidProtocolBufferException;

/**
 * A file that a program has staged, and that is a file of the job: what harnesses are told of it is
 * no path, but this name.
 *
 * @param name of the file in the job
 */
public record JobArtifact(String name) {

  private static final String SCHEME = "anemone-job-file:";

  /** An artifact, with this in the place of its path. */
  public ArtifactInformation in(ArtifactInformation artifact, ArtifactFilePayload file) {
    return artifact.toBuilder()
        .setTypePayload(file.toBuilder().setPath(SCHEME + name).build().toByteString())
        .build();
  }

  /** The file of an artifact; empty when it is none of a job's. */
  static Optional<JobArtifact> of(ArtifactInformation artifact)
      throws InvalidProtocolBufferException {
    if (!artifact.getTypeUrn().equals(ArtifactRetrievalService.FILE_ARTIFACT_URN)) {
      return Optional.empty();
    }
    String path = ArtifactFilePayload.parseFrom(artifact.getTypePayload()).getPath();
    return path.startsWith(SCHEME)
        ? Optional.of(new JobArtifact(path.substring(SCHEME.length())))
        : Optional.empty();
  }
}
