// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.Elements;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.Elements.Data;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.Elements.Timers;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

class ReturnedDataTest {

  private final ReturnedData returned = new ReturnedData();
  private final List<String> taken = new ArrayList<>();

  private static Data data(String bundle, String transform, String bytes) {
    return Data.newBuilder()
        .setInstructionId(bundle)
        .setTransformId(transform)
        .setData(ByteString.copyFromUtf8(bytes))
        .build();
  }

  private void connect(String bundle) {
    returned.connect(
        bundle,
        (transform, elements) ->
            taken.add(bundle + " " + transform + " " + elements.toStringUtf8()));
  }

  @Test
  void dataGoesToTheSinkAndMarksAndTimersAreLeft() {
    connect("1");
    Timers timers = Timers.newBuilder().setInstructionId("1").build();
    Elements message =
        Elements.newBuilder()
            .addData(data("1", "a", "x"))
            .addData(data("1", "b", "y").toBuilder().setIsLast(true))
            .addTimers(timers)
            .build();

    Elements rest = returned.withoutData(message);

    assertThat(taken).containsExactly("1 a x", "1 b y");
    assertThat(rest.getDataList())
        .containsExactly(data("1", "b", "").toBuilder().setIsLast(true).build());
    assertThat(rest.getTimersList()).containsExactly(timers);
  }

  @Test
  void whatComesBeforeTheSinkWaitsForIt() {
    returned.withoutData(Elements.newBuilder().addData(data("2", "a", "early")).build());
    returned.withoutData(Elements.newBuilder().addData(data("3", "a", "of another")).build());

    connect("2");
    returned.withoutData(Elements.newBuilder().addData(data("2", "a", "late")).build());

    assertThat(taken).containsExactly("2 a early", "2 a late");
  }
}
