// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.Elements;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.Elements.Data;
import org.apache.beam.model.fnexecution.v1.BeamFnDataGrpc;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.BindableService;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Metadata;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ServerCall;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ServerCall.Listener;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ServerCallHandler;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ServerInterceptor;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ServerInterceptors;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Status;

/**
 * Takes the data that a harness returns out of its data stream before Beam sees it. Beam keeps up
 * to a hundred messages of a bundle in the heap until the harness has done all of the bundle, and
 * then stops the stream, on which other bundles of the harness wait. What is left for Beam are the
 * marks of the ends of outputs, and timers. Thread-safe.
 */
public final class ReturnedData implements ServerInterceptor {

  /** Takes what a bundle returns, on the thread of the stream; must not wait. */
  public interface Sink {

    /**
     * Some of the elements of an output, encoded one behind the other.
     *
     * @param transform what writes the output in the bundle's descriptor
     */
    void add(String transform, ByteString elements);
  }

  private final Map<String, Sink> sinks = new HashMap<>();
  private final Map<String, List<Data>> early = new HashMap<>();

  /** Whether a service is that of a data stream. */
  static boolean isDataService(BindableService service) {
    return service
        .bindService()
        .getServiceDescriptor()
        .getName()
        .equals(BeamFnDataGrpc.SERVICE_NAME);
  }

  /** The service of a data stream, without the data, which goes to this. */
  BindableService tap(BindableService service) {
    return () -> ServerInterceptors.intercept(service, this);
  }

  /** What a bundle returns goes to a sink, also what it has returned already. */
  public synchronized void connect(String bundle, Sink sink) {
    sinks.put(bundle, sink);
    List<Data> waiting = early.remove(bundle);
    if (waiting != null) {
      waiting.forEach(data -> sink.add(data.getTransformId(), data.getData()));
    }
  }

  /** The bundle has ended. */
  public synchronized void disconnect(String bundle) {
    sinks.remove(bundle);
    early.remove(bundle);
  }

  private synchronized void take(Data data) {
    Sink sink = sinks.get(data.getInstructionId());
    if (sink != null) {
      sink.add(data.getTransformId(), data.getData());
    } else {
      early.computeIfAbsent(data.getInstructionId(), bundle -> new ArrayList<>()).add(data);
    }
  }

  /** Takes the data out of a message. */
  Elements withoutData(Elements elements) {
    Elements.Builder rest = elements.toBuilder().clearData();
    for (Data data : elements.getDataList()) {
      if (!data.getData().isEmpty()) {
        take(data);
      }
      if (data.getIsLast()) {
        rest.addData(data.toBuilder().clearData());
      }
    }
    return rest.build();
  }

  /** That Beam hangs up, since it needs the harness no longer, is no failure of the stream. */
  private static <I, O> ServerCall<I, O> ended(ServerCall<I, O> call) {
    return new SimpleForwardingServerCall<>(call) {
      @Override
      public void close(Status status, Metadata trailers) {
        super.close(status.getCode() == Status.Code.CANCELLED ? Status.OK : status, trailers);
      }
    };
  }

  @Override
  public <I, O> Listener<I> interceptCall(
      ServerCall<I, O> call, Metadata headers, ServerCallHandler<I, O> next) {
    return new SimpleForwardingServerCallListener<>(next.startCall(ended(call), headers)) {
      @Override
      @SuppressWarnings("unchecked") // the service's one stream is of elements
      public void onMessage(I message) {
        super.onMessage((I) withoutData((Elements) message));
      }
    };
  }
}
