// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import static org.apache.beam.sdk.util.construction.PTransformTranslation.PAR_DO_TRANSFORM_URN;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.spec.Urns;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.model.pipeline.v1.RunnerApi.Components;
import org.apache.beam.model.pipeline.v1.RunnerApi.FunctionSpec;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.model.pipeline.v1.RunnerApi.ParDoPayload;
import org.apache.beam.sdk.util.construction.graph.PipelineNode;
import org.apache.beam.sdk.util.construction.graph.PipelineNode.PTransformNode;
import org.apache.beam.sdk.util.construction.graph.QueryablePipeline;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.Iterables;

/**
 * Puts a step of the runner, which keeps elements for later attempts, before each function that
 * must see the same elements whenever it runs. Where it reads what a shuffle spreads, another such
 * step stands before that shuffle, behind which a later attempt could get elements that fell to
 * another task; and that one is enough where no other function stands between. Beam's fuser makes
 * no stage across such a step.
 *
 * <pre>
 * A -&gt; function                    A -&gt; keep -&gt; function
 * A -&gt; Reshuffle -&gt; function       A -&gt; keep -&gt; Reshuffle -&gt; function
 * A -&gt; Reshuffle -&gt; B -&gt; function  A -&gt; keep -&gt; Reshuffle -&gt; B -&gt; keep -&gt; function
 * </pre>
 *
 * <p>Used by one thread, once.
 */
final class StableInputSteps {

  private static final String SUFFIX = "/StableInput";

  private final Components components;
  private final QueryablePipeline pipeline;
  private final Components.Builder result;

  private StableInputSteps(Components components) {
    this.components = components;
    this.pipeline = QueryablePipeline.forPrimitivesIn(components);
    this.result = components.toBuilder();
  }

  /**
   * The pipeline, with these steps; one without parts of what the runner runs itself.
   *
   * @throws InvalidPipelineException when a function is not as Beam writes it
   */
  static RunnerApi.Pipeline in(RunnerApi.Pipeline pipeline) {
    StableInputSteps steps = new StableInputSteps(pipeline.getComponents());
    steps.components.getTransformsMap().forEach(steps::add);
    return pipeline.toBuilder().setComponents(steps.result).build();
  }

  private void add(String id, PTransform transform) {
    if (!transform.getSpec().getUrn().equals(PAR_DO_TRANSFORM_URN)) {
      return;
    }
    ParDoPayload function = payload(transform);
    if (!function.getRequiresStableInput()) {
      return;
    }
    String input = mainInput(transform, function);
    PTransformNode producer = producer(input);
    Optional<PTransformNode> spread = spreadAbove(producer);
    if (!spread.equals(Optional.of(producer))) {
      keep(id, input);
    }
    spread.ifPresent(
        node ->
            keep(
                node.getId(),
                Iterables.getOnlyElement(node.getTransform().getInputsMap().values())));
  }

  private PTransformNode producer(String collection) {
    return pipeline.getProducer(
        PipelineNode.pCollection(collection, components.getPcollectionsOrThrow(collection)));
  }

  /** The shuffle that spreads what a step makes or reads, with functions between at most. */
  private Optional<PTransformNode> spreadAbove(PTransformNode step) {
    PTransform transform = step.getTransform();
    String urn = transform.getSpec().getUrn();
    if (StepsOfRunner.SPREAD.contains(urn)) {
      return Optional.of(step);
    }
    return urn.equals(PAR_DO_TRANSFORM_URN)
        ? spreadAbove(producer(mainInput(transform, payload(transform))))
        : Optional.empty();
  }

  /** A step reads a collection that is kept. */
  private void keep(String reader, String input) {
    String kept = input + SUFFIX;
    result.putPcollections(
        kept, components.getPcollectionsOrThrow(input).toBuilder().setUniqueName(kept).build());
    // Beam sorts both kinds of nodes by their ids alone.
    result.putTransforms(
        reader + SUFFIX,
        PTransform.newBuilder()
            .setUniqueName(components.getTransformsOrThrow(reader).getUniqueName() + SUFFIX)
            .setSpec(FunctionSpec.newBuilder().setUrn(Urns.STABLE_INPUT))
            .putInputs("in", input)
            .putOutputs("out", kept)
            .build());
    PTransform.Builder changed = result.getTransformsOrThrow(reader).toBuilder();
    for (Map.Entry<String, String> port :
        components.getTransformsOrThrow(reader).getInputsMap().entrySet()) {
      if (port.getValue().equals(input) && isMain(reader, port.getKey())) {
        changed.putInputs(port.getKey(), kept);
      }
    }
    result.putTransforms(reader, changed.build());
  }

  private boolean isMain(String reader, String port) {
    PTransform transform = components.getTransformsOrThrow(reader);
    return !transform.getSpec().getUrn().equals(PAR_DO_TRANSFORM_URN)
        || !payload(transform).containsSideInputs(port);
  }

  private static String mainInput(PTransform transform, ParDoPayload function) {
    return transform.getInputsMap().entrySet().stream()
        .filter(port -> !function.containsSideInputs(port.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidPipelineException(
                    "Step '" + transform.getUniqueName() + "' is a ParDo without a main input"));
  }

  private static ParDoPayload payload(PTransform transform) {
    try {
      return ParDoPayload.parseFrom(transform.getSpec().getPayload());
    } catch (InvalidProtocolBufferException e) {
      throw new InvalidPipelineException(
          "Step '" + transform.getUniqueName() + "' has a function that is not as Beam writes it",
          e);
    }
  }
}
