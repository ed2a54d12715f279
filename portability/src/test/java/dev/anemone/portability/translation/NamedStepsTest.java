// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.model.pipeline.v1.RunnerApi.Components;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.util.construction.PipelineTranslation;
import org.apache.beam.sdk.util.construction.graph.PipelineValidator;
import org.junit.jupiter.api.Test;

class NamedStepsTest {

  @Test
  void stepsHaveTheirNamesAsIds() {
    Pipeline pipeline = Pipeline.create();
    pipeline.apply("some words", Create.of("a", "b")).apply("count them", Count.perElement());

    RunnerApi.Pipeline named = NamedSteps.in(PipelineTranslation.toProto(pipeline));

    PipelineValidator.validate(named);
    assertThat(named.getRootTransformIdsList()).containsExactly("some words", "count them");
    assertThat(named.getComponents().getTransformsMap())
        .allSatisfy((id, step) -> assertThat(id).isEqualTo(step.getUniqueName()))
        .containsKey("count them/Init/Map");
  }

  @Test
  void ofTwoStepsOfOneNameOneKeepsItsId() {
    Components.Builder components = Components.newBuilder();
    components.putTransforms("id 1", PTransform.newBuilder().setUniqueName("twin").build());
    components.putTransforms("id 2", PTransform.newBuilder().setUniqueName("twin").build());
    components.putTransforms(
        "id 3",
        PTransform.newBuilder()
            .setUniqueName("both")
            .addSubtransforms("id 1")
            .addSubtransforms("id 2")
            .build());

    Components named =
        NamedSteps.in(RunnerApi.Pipeline.newBuilder().setComponents(components).build())
            .getComponents();

    assertThat(named.getTransformsMap()).hasSize(3).containsKeys("twin", "both");
    assertThat(named.getTransformsOrThrow("both").getSubtransformsList())
        .hasSize(2)
        .allSatisfy(id -> assertThat(named.getTransformsMap()).containsKey(id));
  }
}
