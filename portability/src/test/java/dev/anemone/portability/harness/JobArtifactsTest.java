// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.beam.model.jobmanagement.v1.ArtifactApi.GetArtifactRequest;
import org.apache.beam.model.jobmanagement.v1.ArtifactApi.GetArtifactResponse;
import org.apache.beam.model.jobmanagement.v1.ArtifactRetrievalServiceGrpc;
import org.apache.beam.model.pipeline.v1.RunnerApi.ArtifactFilePayload;
import org.apache.beam.model.pipeline.v1.RunnerApi.ArtifactInformation;
import org.apache.beam.runners.fnexecution.artifact.ArtifactRetrievalService;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ManagedChannel;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Server;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.inprocess.InProcessChannelBuilder;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.inprocess.InProcessServerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobArtifactsTest {

  private static final byte[] CONTENT = new byte[3_000_000];
  private static final String SERVER = "job-artifacts-test";

  private final AtomicBoolean closed = new AtomicBoolean();
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws IOException {
    for (int i = 0; i < CONTENT.length; i++) {
      CONTENT[i] = (byte) (i / 1000);
    }
    server =
        InProcessServerBuilder.forName(SERVER)
            .addService(
                new JobArtifacts(
                    name -> {
                      if (!name.equals("large")) {
                        throw new FileNotFoundException(name);
                      }
                      return new ByteArrayInputStream(CONTENT) {
                        @Override
                        public void close() {
                          closed.set(true);
                        }
                      };
                    }))
            .build()
            .start();
    channel = InProcessChannelBuilder.forName(SERVER).build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.shutdownNow();
  }

  private Iterator<GetArtifactResponse> get(String name) {
    ArtifactInformation artifact =
        new JobArtifact(name)
            .in(
                ArtifactInformation.newBuilder()
                    .setTypeUrn(ArtifactRetrievalService.FILE_ARTIFACT_URN)
                    .build(),
                ArtifactFilePayload.getDefaultInstance());
    return ArtifactRetrievalServiceGrpc.newBlockingStub(channel)
        .getArtifact(GetArtifactRequest.newBuilder().setArtifact(artifact).build());
  }

  @Test
  void aLargeFileArrivesWholeAndIsClosed() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();

    Iterator<GetArtifactResponse> chunks = get("large");
    while (chunks.hasNext()) {
      chunks.next().getData().writeTo(all);
    }

    assertThat(Arrays.equals(all.toByteArray(), CONTENT)).isTrue();
    assertThat(closed).isTrue();
  }

  @Test
  void aFileThatTheJobDoesNotHaveIsNamed() {
    assertThatThrownBy(() -> get("missing").hasNext())
        .hasMessageContaining("a file that the program has staged cannot be read: missing");
  }
}
