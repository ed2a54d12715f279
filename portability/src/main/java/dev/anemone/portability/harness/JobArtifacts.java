// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.beam.model.jobmanagement.v1.ArtifactApi.GetArtifactRequest;
import org.apache.beam.model.jobmanagement.v1.ArtifactApi.GetArtifactResponse;
import org.apache.beam.runners.fnexecution.artifact.ArtifactRetrievalService;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Status;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.stub.ServerCallStreamObserver;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.stub.StreamObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands out what the program has staged: files of the job from the job's directory, wherever this
 * JVM runs, and all else as Beam does. A file is read as fast as the harness takes it. Thread-safe.
 */
final class JobArtifacts extends ArtifactRetrievalService {

  private static final Logger LOG = LoggerFactory.getLogger(JobArtifacts.class);

  private static final int CHUNK_BYTES = 1 << 16;

  /** Opens a file of the job. */
  @FunctionalInterface
  interface Files {

    /** Opens one, which belongs to the caller. */
    InputStream open(String name) throws IOException;
  }

  private final Files files;

  JobArtifacts(Files files) {
    this.files = files;
  }

  @Override
  public void getArtifact(
      GetArtifactRequest request, StreamObserver<GetArtifactResponse> observer) {
    try {
      Optional<JobArtifact> artifact = JobArtifact.of(request.getArtifact());
      if (artifact.isEmpty()) {
        super.getArtifact(request, observer);
        return;
      }
      Download download =
          new Download(
              files.open(artifact.get().name()),
              (ServerCallStreamObserver<GetArtifactResponse>) observer);
      download.start();
    } catch (IOException e) {
      observer.onError(failure(e));
    }
  }

  private static RuntimeException failure(IOException e) {
    LOG.warn("A file that the program has staged cannot be read", e);
    return Status.INTERNAL
        .withDescription("a file that the program has staged cannot be read: " + e.getMessage())
        .withCause(e)
        .asRuntimeException();
  }

  /** One file on its way; all of it happens on the thread of its call. */
  private static final class Download {

    private final InputStream file;
    private final ServerCallStreamObserver<GetArtifactResponse> to;
    private boolean ended;

    Download(InputStream file, ServerCallStreamObserver<GetArtifactResponse> to) {
      this.file = file;
      this.to = to;
    }

    void start() {
      to.setOnCancelHandler(this::close);
      to.setOnReadyHandler(this::send);
    }

    private void send() {
      try {
        while (!ended && to.isReady()) {
          byte[] chunk = file.readNBytes(CHUNK_BYTES);
          if (chunk.length == 0) {
            close();
            to.onCompleted();
          } else {
            to.onNext(GetArtifactResponse.newBuilder().setData(ByteString.copyFrom(chunk)).build());
          }
        }
      } catch (IOException e) {
        close();
        to.onError(failure(e));
      }
    }

    private void close() {
      ended = true;
      try {
        file.close();
      } catch (IOException e) {
        LOG.warn("A file that the program has staged cannot be closed", e);
      }
    }
  }
}
