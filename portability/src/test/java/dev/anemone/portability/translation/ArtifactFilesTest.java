// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.InvalidPipelineException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.beam.model.pipeline.v1.RunnerApi.ArtifactFilePayload;
import org.apache.beam.model.pipeline.v1.RunnerApi.ArtifactInformation;
import org.apache.beam.model.pipeline.v1.RunnerApi.Environment;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.model.pipeline.v1.RunnerApi.Pipeline;
import org.apache.beam.runners.fnexecution.artifact.ArtifactRetrievalService;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArtifactFilesTest {

  @TempDir Path directory;

  private static ArtifactInformation artifact(String path) {
    return ArtifactInformation.newBuilder()
        .setTypeUrn(ArtifactRetrievalService.FILE_ARTIFACT_URN)
        .setTypePayload(
            ArtifactFilePayload.newBuilder().setPath(path).setSha256("abc").build().toByteString())
        .setRoleUrn(ArtifactRetrievalService.STAGING_TO_ARTIFACT_URN)
        .setRolePayload(ByteString.copyFromUtf8("role"))
        .build();
  }

  private static Pipeline pipeline(ArtifactInformation... artifacts) {
    Pipeline.Builder pipeline = Pipeline.newBuilder();
    pipeline
        .getComponentsBuilder()
        .putTransforms("step", PTransform.newBuilder().setEnvironmentId("used").build())
        .putEnvironments(
            "used", Environment.newBuilder().addAllDependencies(List.of(artifacts)).build())
        .putEnvironments(
            "unused", Environment.newBuilder().addDependencies(artifact("/none")).build());
    return pipeline.build();
  }

  private static ArtifactInformation only(ArtifactFiles staged) {
    return staged.pipeline().getComponents().getEnvironmentsOrThrow("used").getDependencies(0);
  }

  @Test
  void aFileOfThisMachineBecomesOneOfTheJob() throws Exception {
    Path file = Files.writeString(directory.resolve("a package.whl"), "");

    ArtifactFiles staged =
        ArtifactFiles.in(pipeline(artifact(file.toString()), artifact(file.toUri().toString())));

    assertThat(staged.files()).hasSize(1).containsValue(file);
    String name = staged.files().keySet().iterator().next();
    ArtifactFilePayload payload = ArtifactFilePayload.parseFrom(only(staged).getTypePayload());
    assertThat(payload.getPath()).isEqualTo("anemone-job-file:" + name);
    assertThat(payload.getSha256()).isEqualTo("abc");
    assertThat(only(staged).getRolePayload()).isEqualTo(ByteString.copyFromUtf8("role"));
  }

  @Test
  void aFileThatAllMachinesReachStaysWhereItIs() throws Exception {
    ArtifactInformation remote = artifact("hdfs://nodes/package.whl");

    ArtifactFiles staged = ArtifactFiles.in(pipeline(remote));

    assertThat(staged.files()).isEmpty();
    assertThat(only(staged)).isEqualTo(remote);
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    String missing = directory.resolve("missing.whl").toString();

    assertThatThrownBy(() -> ArtifactFiles.in(pipeline(artifact(missing))))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining(missing);
  }
}
