// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import org.apache.beam.model.jobmanagement.v1.JobApi.JobMessage;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobMessagesResponse;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobStateEvent;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.stub.ServerCallStreamObserver;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.stub.StreamObserver;

/** Programs that follow a job by a stream of the Job API, until it ends or they go. Stateless. */
final class JobListeners {

  private record OfStates(StreamObserver<JobStateEvent> program) implements SubmittedJob.Listener {

    @Override
    public void state(JobStateEvent state) {
      program.onNext(state);
    }

    @Override
    public void message(JobMessage message) {
      // Of states alone.
    }

    @Override
    public void end() {
      program.onCompleted();
    }
  }

  private record OfMessages(StreamObserver<JobMessagesResponse> program)
      implements SubmittedJob.Listener {

    @Override
    public void state(JobStateEvent state) {
      program.onNext(JobMessagesResponse.newBuilder().setStateResponse(state).build());
    }

    @Override
    public void message(JobMessage message) {
      program.onNext(JobMessagesResponse.newBuilder().setMessageResponse(message).build());
    }

    @Override
    public void end() {
      program.onCompleted();
    }
  }

  private JobListeners() {}

  /** Tells a program the states of a job. */
  static void states(SubmittedJob job, StreamObserver<JobStateEvent> program) {
    listen(job, program, new OfStates(program));
  }

  /** Tells a program the states and the messages of a job. */
  static void messages(SubmittedJob job, StreamObserver<JobMessagesResponse> program) {
    listen(job, program, new OfMessages(program));
  }

  private static void listen(
      SubmittedJob job, StreamObserver<?> program, SubmittedJob.Listener listener) {
    if (program instanceof ServerCallStreamObserver<?> call) {
      // Without a handler, whatever is said to a program that has gone would be a failure.
      call.setOnCancelHandler(() -> job.forget(listener));
    }
    job.listen(listener);
  }
}
