// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.NemoPipelineOptions;
import java.util.List;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Struct;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Value;
import org.junit.jupiter.api.Test;

class JobDefaultsTest {

  private static final JobDefaults DEFAULTS =
      JobDefaults.of(
          List.of("--optimizationPolicy=LargeShuffle", "--slots=3", "--summary", "--explainOnly"));

  private static NemoPipelineOptions in(JobDefaults defaults, Struct options) {
    return PipelineOptionsTranslation.fromProto(defaults.in(options)).as(NemoPipelineOptions.class);
  }

  private static Struct with(String name, Value value) {
    return Struct.newBuilder().putFields("beam:option:" + name + ":v1", value).build();
  }

  private static Value text(String value) {
    return Value.newBuilder().setStringValue(value).build();
  }

  private static Value flag(boolean value) {
    return Value.newBuilder().setBoolValue(value).build();
  }

  @Test
  void aPipelineWithoutAnOptionGetsIt() {
    NemoPipelineOptions options = in(DEFAULTS, Struct.getDefaultInstance());

    assertThat(options.getOptimizationPolicy()).isEqualTo("LargeShuffle");
    assertThat(options.getSlots()).isEqualTo(3);
  }

  @Test
  void aPipelineKeepsItsOwn() {
    NemoPipelineOptions options = in(DEFAULTS, with("optimization_policy", text("DataSkew")));

    assertThat(options.getOptimizationPolicy()).isEqualTo("DataSkew");
    assertThat(options.getSlots()).isEqualTo(3);
  }

  /** Python sends {@code false} for a flag that nobody has given. */
  @Test
  void aFlagOfTheServerIsThatOfAllPipelines() {
    assertThat(in(DEFAULTS, with("explain_only", flag(false))).getExplainOnly()).isTrue();
  }

  @Test
  void aFlagThatTheServerLeavesMayBeTurned() {
    JobDefaults off = JobDefaults.of(List.of("--explainOnly=false"));

    assertThat(in(off, with("explain_only", flag(true))).getExplainOnly()).isTrue();
    assertThat(in(off, Struct.getDefaultInstance()).getExplainOnly()).isFalse();
  }

  @Test
  void nothingElseIsAdded() {
    assertThat(JobDefaults.of(List.of("--slots=3")).values())
        .containsOnlyKeys("beam:option:slots:v1");
  }

  @Test
  void anOptionThatIsNotKnownIsNamed() {
    assertThatThrownBy(() -> JobDefaults.of(List.of("--slotz=3")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("slotz");
  }

  @Test
  void aBadValueIsRefusedBeforeThereIsAJob() {
    assertThatThrownBy(() -> JobDefaults.of(List.of("--deployMode=mesos")))
        .hasMessageContaining("--deployMode=mesos is not known");
  }
}
