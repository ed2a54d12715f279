// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import java.util.stream.Stream;
import org.apache.beam.model.pipeline.v1.RunnerApi.ParDoPayload;
import org.apache.beam.sdk.util.construction.PTransformTranslation;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;
import org.apache.beam.sdk.util.construction.graph.PipelineNode.PTransformNode;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.InvalidProtocolBufferException;

/** What a stage says of its functions. Stateless. */
final class StageFunctions {

  private StageFunctions() {}

  /** The functions of a stage. */
  static Stream<ParDoPayload> of(ExecutableStage stage) {
    return steps(stage).map(StageFunctions::payload);
  }

  /** The steps of a stage that are functions. */
  static Stream<PTransformNode> steps(ExecutableStage stage) {
    return stage.getTransforms().stream()
        .filter(
            node ->
                node.getTransform()
                    .getSpec()
                    .getUrn()
                    .equals(PTransformTranslation.PAR_DO_TRANSFORM_URN));
  }

  /** The function of such a step. */
  static ParDoPayload payload(PTransformNode step) {
    try {
      return ParDoPayload.parseFrom(step.getTransform().getSpec().getPayload());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("what Beam's fuser has written is a stage", e);
    }
  }
}
