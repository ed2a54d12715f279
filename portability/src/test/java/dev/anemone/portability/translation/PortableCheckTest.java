// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.InvalidPipelineException;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.model.pipeline.v1.RunnerApi.Environment;
import org.apache.beam.model.pipeline.v1.RunnerApi.IsBounded;
import org.apache.beam.model.pipeline.v1.RunnerApi.PCollection;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.transforms.Impulse;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.SimpleFunction;
import org.apache.beam.sdk.util.construction.Environments;
import org.apache.beam.sdk.util.construction.PipelineTranslation;
import org.junit.jupiter.api.Test;

class PortableCheckTest {

  /** Takes the length. */
  private static final class Length extends SimpleFunction<byte[], Integer> {
    @Override
    public Integer apply(byte[] bytes) {
      return bytes.length;
    }
  }

  private static RunnerApi.Pipeline pipeline() {
    Pipeline pipeline = Pipeline.create();
    pipeline.apply(Impulse.create()).apply("lengths", MapElements.via(new Length()));
    return PipelineTranslation.toProto(pipeline);
  }

  private static RunnerApi.Pipeline in(String environmentUrn) {
    RunnerApi.Pipeline.Builder changed = pipeline().toBuilder();
    changed
        .getComponents()
        .getEnvironmentsMap()
        .keySet()
        .forEach(
            id ->
                changed
                    .getComponentsBuilder()
                    .putEnvironments(id, Environment.newBuilder().setUrn(environmentUrn).build()));
    return changed.build();
  }

  @Test
  void whatRunsIsAccepted() {
    assertThatCode(() -> PortableCheck.check(in("beam:env:external:v1"), command -> false))
        .doesNotThrowAnyException();
  }

  @Test
  void containersNeedDocker() {
    RunnerApi.Pipeline pipeline = in("beam:env:docker:v1");

    assertThatThrownBy(() -> PortableCheck.check(pipeline, command -> false))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("no command 'docker'")
        .hasMessageContaining("--environment_type=LOOPBACK");
    assertThatCode(() -> PortableCheck.check(pipeline, "docker"::equals))
        .doesNotThrowAnyException();
  }

  @Test
  void unboundedCollectionsAreRefusedByName() {
    RunnerApi.Pipeline.Builder changed = in("beam:env:external:v1").toBuilder();
    String id = changed.getComponents().getPcollectionsMap().keySet().iterator().next();
    PCollection unbounded =
        changed.getComponents().getPcollectionsOrThrow(id).toBuilder()
            .setIsBounded(IsBounded.Enum.UNBOUNDED)
            .build();
    changed.getComponentsBuilder().putPcollections(id, unbounded);

    assertThatThrownBy(() -> PortableCheck.check(changed.build(), command -> false))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("'" + unbounded.getUniqueName() + "' is unbounded");
  }

  @Test
  void unknownTransformsAreRefusedByName() {
    RunnerApi.Pipeline.Builder changed = in("beam:env:external:v1").toBuilder();
    changed
        .getComponents()
        .getTransformsMap()
        .forEach(
            (id, step) -> {
              if (step.getSpec().getUrn().equals("beam:transform:pardo:v1")) {
                changed
                    .getComponentsBuilder()
                    .putTransforms(
                        id,
                        step.toBuilder()
                            .setSpec(step.getSpec().toBuilder().setUrn("moon:transform:v1"))
                            .build());
              }
            });

    assertThatThrownBy(() -> PortableCheck.check(changed.build(), command -> false))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("Step 'lengths")
        .hasMessageContaining("'moon:transform:v1'");
  }

  @Test
  void unknownRequirementsAreRefusedByName() {
    RunnerApi.Pipeline pipeline =
        in("beam:env:external:v1").toBuilder().addRequirements("beam:requirement:moon:v1").build();

    assertThatThrownBy(() -> PortableCheck.check(pipeline, command -> false))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("it requires beam:requirement:moon:v1");
  }

  @Test
  void aChoiceOfEnvironmentsNeedsNoDocker() {
    RunnerApi.Pipeline.Builder changed = pipeline().toBuilder();
    Environment choice =
        Environments.createAnyOfEnvironment(
            Environment.newBuilder().setUrn("beam:env:docker:v1").build(),
            Environment.newBuilder().setUrn("beam:env:external:v1").build());
    changed
        .getComponents()
        .getEnvironmentsMap()
        .keySet()
        .forEach(id -> changed.getComponentsBuilder().putEnvironments(id, choice));

    RunnerApi.Pipeline chosen = ChosenEnvironments.in(changed.build());

    assertThat(chosen.getComponents().getEnvironmentsMap().values())
        .allMatch(environment -> environment.getUrn().equals("beam:env:external:v1"));
    assertThatCode(() -> PortableCheck.check(chosen, command -> false)).doesNotThrowAnyException();
  }
}
