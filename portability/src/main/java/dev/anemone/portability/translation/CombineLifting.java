// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import static org.apache.beam.sdk.util.construction.PTransformTranslation.COMBINE_PER_KEY_EXTRACT_OUTPUTS_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.COMBINE_PER_KEY_MERGE_ACCUMULATORS_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.COMBINE_PER_KEY_PRECOMBINE_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.COMBINE_PER_KEY_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.GROUP_BY_KEY_TRANSFORM_URN;

import java.util.List;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.model.pipeline.v1.RunnerApi.Coder;
import org.apache.beam.model.pipeline.v1.RunnerApi.CombinePayload;
import org.apache.beam.model.pipeline.v1.RunnerApi.Components;
import org.apache.beam.model.pipeline.v1.RunnerApi.ComponentsOrBuilder;
import org.apache.beam.model.pipeline.v1.RunnerApi.FunctionSpec;
import org.apache.beam.model.pipeline.v1.RunnerApi.MergeStatus;
import org.apache.beam.model.pipeline.v1.RunnerApi.MessageWithComponents;
import org.apache.beam.model.pipeline.v1.RunnerApi.PCollection;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.model.pipeline.v1.RunnerApi.Trigger;
import org.apache.beam.model.pipeline.v1.RunnerApi.WindowingStrategy;
import org.apache.beam.sdk.util.construction.ModelCoders;
import org.apache.beam.sdk.util.construction.graph.ProtoOverrides;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.Iterables;

/**
 * Combines by key before the shuffle, in the harness: what Beam's model calls the lifting of
 * combiners. Every SDK has the parts.
 *
 * <pre>
 * before:  CombinePerKey
 * after:   precombine (SDK) -&gt; GroupByKey (runner) -&gt; merge accumulators -&gt; extract (SDK)
 * </pre>
 *
 * <p>Combines with side inputs, in windows that merge, or with triggers stay as they are.
 * Stateless.
 */
final class CombineLifting {

  private CombineLifting() {}

  /** The pipeline with all its combines lifted that can be. */
  static RunnerApi.Pipeline in(RunnerApi.Pipeline pipeline) {
    return ProtoOverrides.updateTransform(
        COMBINE_PER_KEY_TRANSFORM_URN, pipeline, CombineLifting::lifted);
  }

  /** What stands in the place of a combine; null, as Beam wants it, where it stays. */
  private static MessageWithComponents lifted(String id, ComponentsOrBuilder components) {
    PTransform combine = components.getTransformsOrThrow(id);
    if (!canLift(combine, components)) {
      return null;
    }
    String inputId = Iterables.getOnlyElement(combine.getInputsMap().values());
    PCollection input = components.getPcollectionsOrThrow(inputId);
    String keyCoder = components.getCodersOrThrow(input.getCoderId()).getComponentCoderIds(0);
    String accumulatorCoder = payload(combine).getAccumulatorCoderId();
    String accumulatorsCoder = id + "/accumulators";
    String partialCoder = id + "/partial";
    String groupedCoder = id + "/grouped";
    Components added =
        Components.newBuilder()
            .putCoders(accumulatorsCoder, coder(ModelCoders.ITERABLE_CODER_URN, accumulatorCoder))
            .putCoders(partialCoder, coder(ModelCoders.KV_CODER_URN, keyCoder, accumulatorCoder))
            .putCoders(groupedCoder, coder(ModelCoders.KV_CODER_URN, keyCoder, accumulatorsCoder))
            .putPcollections(id + "/Precombine.out", like(input, id + "/Precombine", partialCoder))
            .putPcollections(id + "/Group.out", like(input, id + "/Group", groupedCoder))
            .putPcollections(id + "/Merge.out", like(input, id + "/Merge", partialCoder))
            .putTransforms(
                id + "/Precombine",
                part(combine, "/Precombine", COMBINE_PER_KEY_PRECOMBINE_TRANSFORM_URN)
                    .putInputs("in", inputId)
                    .putOutputs("out", id + "/Precombine.out")
                    .build())
            .putTransforms(
                id + "/Group",
                PTransform.newBuilder()
                    .setUniqueName(combine.getUniqueName() + "/Group")
                    .setSpec(FunctionSpec.newBuilder().setUrn(GROUP_BY_KEY_TRANSFORM_URN))
                    .putInputs("in", id + "/Precombine.out")
                    .putOutputs("out", id + "/Group.out")
                    .build())
            .putTransforms(
                id + "/Merge",
                part(combine, "/Merge", COMBINE_PER_KEY_MERGE_ACCUMULATORS_TRANSFORM_URN)
                    .putInputs("in", id + "/Group.out")
                    .putOutputs("out", id + "/Merge.out")
                    .build())
            .putTransforms(
                id + "/Extract",
                part(combine, "/Extract", COMBINE_PER_KEY_EXTRACT_OUTPUTS_TRANSFORM_URN)
                    .putInputs("in", id + "/Merge.out")
                    .putOutputs("out", Iterables.getOnlyElement(combine.getOutputsMap().values()))
                    .build())
            .build();
    return MessageWithComponents.newBuilder()
        .setPtransform(
            combine.toBuilder()
                .clearSubtransforms()
                .addSubtransforms(id + "/Precombine")
                .addSubtransforms(id + "/Group")
                .addSubtransforms(id + "/Merge")
                .addSubtransforms(id + "/Extract"))
        .setComponents(added)
        .build();
  }

  private static boolean canLift(PTransform combine, ComponentsOrBuilder components) {
    if (combine.getInputsCount() != 1 || combine.getEnvironmentId().isEmpty()) {
      return false;
    }
    PCollection input =
        components.getPcollectionsOrThrow(
            Iterables.getOnlyElement(combine.getInputsMap().values()));
    WindowingStrategy windowing =
        components.getWindowingStrategiesOrThrow(input.getWindowingStrategyId());
    return windowing.getMergeStatus() == MergeStatus.Enum.NON_MERGING
        && windowing.getTrigger().getTriggerCase() == Trigger.TriggerCase.DEFAULT
        && components
            .getCodersOrThrow(input.getCoderId())
            .getSpec()
            .getUrn()
            .equals(ModelCoders.KV_CODER_URN);
  }

  private static CombinePayload payload(PTransform combine) {
    try {
      return CombinePayload.parseFrom(combine.getSpec().getPayload());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(
          "Step '" + combine.getUniqueName() + "' has a function that is not as Beam writes it", e);
    }
  }

  private static Coder coder(String urn, String... parts) {
    return Coder.newBuilder()
        .setSpec(FunctionSpec.newBuilder().setUrn(urn))
        .addAllComponentCoderIds(List.of(parts))
        .build();
  }

  private static PCollection like(PCollection input, String name, String coder) {
    return input.toBuilder().setUniqueName(name).setCoderId(coder).build();
  }

  private static PTransform.Builder part(PTransform combine, String name, String urn) {
    return PTransform.newBuilder()
        .setUniqueName(combine.getUniqueName() + name)
        .setEnvironmentId(combine.getEnvironmentId())
        .setSpec(FunctionSpec.newBuilder().setUrn(urn).setPayload(combine.getSpec().getPayload()));
  }
}
