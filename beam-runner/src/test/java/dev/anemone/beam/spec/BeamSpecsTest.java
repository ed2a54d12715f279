// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.function.FunctionSpec;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.DoFnSchemaInformation;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;

class BeamSpecsTest {

  private static final ClassLoader LOADER = BeamSpecsTest.class.getClassLoader();

  @Test
  void payloadComesBackEqual() {
    AssignWindowsSpec windows = new AssignWindowsSpec(FixedWindows.of(Duration.millis(5)));

    FunctionSpec spec = BeamSpecs.toFunctionSpec(Urns.ASSIGN_WINDOWS, windows);

    assertThat(spec.urn()).isEqualTo(Urns.ASSIGN_WINDOWS);
    assertThat(BeamSpecs.payload(spec, AssignWindowsSpec.class, LOADER)).isEqualTo(windows);
  }

  @Test
  void equalPayloadsGiveEqualSpecs() {
    assertThat(BeamSpecs.toFunctionSpec(Urns.PAR_DO, parDo(new Fine())))
        .isEqualTo(BeamSpecs.toFunctionSpec(Urns.PAR_DO, parDo(new Fine())));
  }

  @Test
  void unserializableFieldIsNamedWithItsStepAndPath() {
    assertThatThrownBy(() -> BeamSpecs.toFunctionSpec(Urns.PAR_DO, parDo(new HoldsConnection())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Step 'Parse/Lines'")
        .hasMessageContaining(
            "field doFn.pool.connections[1] holds a " + Connection.class.getName())
        .hasMessageContaining("@Setup");
  }

  @Test
  void whatDoesNotNameItsStepIsNamedWithItAllTheSame() {
    assertThatThrownBy(
            () ->
                BeamSpecs.toStepSpec(Urns.READ, "Read/Lines", new ArrayList<>(List.of(new Pool()))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Step 'Read/Lines'")
        .hasMessageContaining(Connection.class.getName());
  }

  @Test
  void payloadOfAnotherTypeIsRefused() {
    FunctionSpec spec = BeamSpecs.toFunctionSpec(Urns.READ, "text");

    assertThatThrownBy(() -> BeamSpecs.payload(spec, ParDoSpec.class, LOADER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(ParDoSpec.class.getName());
  }

  @Test
  void pipelineOptionsComeBackFromTheJobPayload() {
    PipelineOptions options = PipelineOptionsFactory.create();
    options.setJobName("counting");

    PipelineOptions read = JobPayload.fromBytes(JobPayload.of(options).toBytes()).options();

    assertThat(read.getJobName()).isEqualTo("counting");
  }

  private static ParDoSpec parDo(DoFn<String, String> doFn) {
    TupleTag<String> main = new TupleTag<>("main-tag");
    return new ParDoSpec(
        "Parse/Lines",
        doFn,
        new ParDoSpec.Outputs(
            main, List.of(new TupleTag<String>("bad")), Map.of(main, StringUtf8Coder.of())),
        StringUtf8Coder.of(),
        WindowingStrategy.globalDefault(),
        List.of(),
        Map.of(),
        DoFnSchemaInformation.create());
  }

  private static class Fine extends DoFn<String, String> {
    @ProcessElement
    public void process(@Element String element, OutputReceiver<String> output) {
      output.output(element);
    }
  }

  private static final class HoldsConnection extends Fine {
    @SuppressWarnings("unused") // only serialization looks at it
    private final Pool pool = new Pool();
  }

  private static final class Pool implements Serializable {
    @SuppressWarnings("unused") // only serialization looks at it
    private final List<Object> connections = new ArrayList<>(List.of("spare", new Connection()));
  }

  private static final class Connection {}
}
