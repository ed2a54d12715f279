// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import static org.apache.beam.sdk.util.construction.PTransformTranslation.FLATTEN_TRANSFORM_URN;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.model.pipeline.v1.RunnerApi.Components;
import org.apache.beam.model.pipeline.v1.RunnerApi.PCollection;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.sdk.util.construction.graph.PipelineNode;
import org.apache.beam.sdk.util.construction.graph.PipelineNode.PCollectionNode;
import org.apache.beam.sdk.util.construction.graph.PipelineNode.PTransformNode;
import org.apache.beam.sdk.util.construction.graph.QueryablePipeline;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.Iterables;

/**
 * Lets SDKs flatten whatever comes from SDKs. Beam's fuser puts a Flatten into each stage that
 * makes one of its inputs; but where an input has to be handed to the runner, the runner is to
 * flatten it with the others, which nobody hands to it, and which may be coded in another way. So
 * such an input gets a copy that the SDK makes for the Flatten alone.
 *
 * <pre>
 * before:  A, B -&gt; Flatten       A -&gt; GroupByKey
 * after:   A -&gt; copy of A, B -&gt; Flatten       A -&gt; GroupByKey
 * </pre>
 *
 * <p>A Flatten of what the runner alone makes, coded alike, stays the runner's. A copy is a Flatten
 * of one input in an environment: every SDK has it. Used by one thread, once.
 */
final class FlattenCopies {

  private final Components components;
  private final QueryablePipeline pipeline;
  private final Map<String, Boolean> ofRunner = new HashMap<>();
  private final Components.Builder result;

  private FlattenCopies(Components components) {
    this.components = components;
    this.pipeline = QueryablePipeline.forPrimitivesIn(components);
    this.result = components.toBuilder();
  }

  /** The pipeline, with the copies that its Flattens need. */
  static RunnerApi.Pipeline in(RunnerApi.Pipeline pipeline) {
    return pipeline.toBuilder()
        .setComponents(new FlattenCopies(pipeline.getComponents()).copied())
        .build();
  }

  private Components copied() {
    for (PTransformNode node : pipeline.getTopologicallyOrderedTransforms()) {
      if (isFlatten(node) && !isOfRunner(node)) {
        PTransform.Builder flatten = node.getTransform().toBuilder();
        node.getTransform()
            .getInputsMap()
            .forEach(
                (name, input) -> {
                  if (needsCopy(collection(input))) {
                    flatten.putInputs(name, addCopy(node, name, input));
                  }
                });
        result.putTransforms(node.getId(), flatten.build());
      }
    }
    return result.build();
  }

  private static boolean isFlatten(PTransformNode node) {
    return node.getTransform().getSpec().getUrn().equals(FLATTEN_TRANSFORM_URN);
  }

  private PCollectionNode collection(String id) {
    return PipelineNode.pCollection(id, components.getPcollectionsOrThrow(id));
  }

  /** Whether the runner runs a step; it runs Flattens where it makes all that they flatten. */
  private boolean isOfRunner(PTransformNode node) {
    Boolean known = ofRunner.get(node.getId());
    if (known == null) {
      known = isFlatten(node) ? isFlattenOfRunner(node) : !hasEnvironment(node);
      ofRunner.put(node.getId(), known);
    }
    return known;
  }

  private static boolean hasEnvironment(PTransformNode node) {
    return !node.getTransform().getEnvironmentId().isEmpty();
  }

  private boolean isFlattenOfRunner(PTransformNode flatten) {
    String coder = coder(Iterables.getOnlyElement(outputs(flatten)));
    Predicate<String> isAlike = input -> coder(input).equals(coder);
    return inputs(flatten).stream()
        .allMatch(isAlike.and(input -> isOfRunner(pipeline.getProducer(collection(input)))));
  }

  private String coder(String collection) {
    return components.getPcollectionsOrThrow(collection).getCoderId();
  }

  private static List<String> inputs(PTransformNode node) {
    return List.copyOf(node.getTransform().getInputsMap().values());
  }

  private static List<String> outputs(PTransformNode node) {
    return List.copyOf(node.getTransform().getOutputsMap().values());
  }

  /** Whether the runner has, or may get, what a Flatten in an SDK reads. */
  private boolean needsCopy(PCollectionNode input) {
    return isOfRunner(pipeline.getProducer(input))
        || pipeline.getPerElementConsumers(input).size() > 1
        || !pipeline.getSingletonConsumers(input).isEmpty();
  }

  private String addCopy(PTransformNode flatten, String name, String input) {
    String id = flatten.getId() + "/copy of " + name;
    PCollection output =
        components.getPcollectionsOrThrow(Iterables.getOnlyElement(outputs(flatten)));
    result.putPcollections(
        id,
        components.getPcollectionsOrThrow(input).toBuilder()
            .setUniqueName(id)
            .setCoderId(output.getCoderId())
            .build());
    result.putTransforms(
        id,
        PTransform.newBuilder()
            .setUniqueName(flatten.getTransform().getUniqueName() + "/copy of " + name)
            .setSpec(flatten.getTransform().getSpec())
            .setEnvironmentId(environment(flatten, input))
            .putInputs("in", input)
            .putOutputs("out", id)
            .build());
    return id;
  }

  /** That of the nearest step in an SDK before an input; else of one before the Flatten. */
  private String environment(PTransformNode flatten, String input) {
    return before(pipeline.getProducer(collection(input)))
        .or(() -> before(flatten))
        .or(this::any)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no step of the pipeline has an environment, but "
                        + flatten.getTransform().getUniqueName()
                        + " flattens PCollections of different coders"));
  }

  private Optional<String> before(PTransformNode node) {
    if (hasEnvironment(node)) {
      return Optional.of(node.getTransform().getEnvironmentId());
    }
    return inputs(node).stream()
        .map(input -> before(pipeline.getProducer(collection(input))))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<String> any() {
    return components.getEnvironmentsMap().keySet().stream().sorted().findFirst();
  }
}
