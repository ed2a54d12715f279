// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Struct;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Value;
import org.junit.jupiter.api.Test;

class LoopbackWorkersTest {

  /** Of a range of addresses that is for documents alone. */
  private static final String ELSEWHERE = "203.0.113.7";

  private static Struct environment(String type) {
    return Struct.newBuilder()
        .putFields(
            "beam:option:environment_type:v1", Value.newBuilder().setStringValue(type).build())
        .build();
  }

  @Test
  void aMachineThatDoesNotReachTheProgramIsNamed() {
    assertThatThrownBy(
            () ->
                LoopbackWorkers.check(
                    environment("LOOPBACK"), () -> List.of("127.0.0.12", ELSEWHERE)))
        .hasMessageContaining("--environment_type=LOOPBACK")
        .hasMessageContaining(ELSEWHERE)
        .hasMessageContaining("--environment_type=PROCESS");
  }

  @Test
  void aClusterOfThisMachineReachesIt() {
    assertThatCode(
            () ->
                LoopbackWorkers.check(
                    environment("LOOPBACK"), () -> List.of("127.0.0.12", "localhost")))
        .doesNotThrowAnyException();
  }

  @Test
  void nobodyIsAskedForOtherEnvironments() {
    assertThatCode(
            () ->
                LoopbackWorkers.check(
                    environment("PROCESS"),
                    () -> {
                      throw new AssertionError("asked");
                    }))
        .doesNotThrowAnyException();
  }
}
