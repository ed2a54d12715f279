// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import static org.apache.beam.sdk.util.construction.PTransformTranslation.SPLITTABLE_PROCESS_SIZED_ELEMENTS_AND_RESTRICTIONS_URN;

import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.translation.HintedSlot;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.NativeMemory;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.portability.options.PortabilityOptions;
import dev.anemone.portability.stage.StageSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.beam.model.pipeline.v1.RunnerApi.ExecutableStagePayload;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.model.pipeline.v1.RunnerApi.StandardEnvironments;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.sdk.util.construction.BeamUrns;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;
import org.apache.beam.sdk.util.construction.graph.PipelineNode.PTransformNode;
import org.apache.beam.sdk.util.construction.graph.SideInputReference;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.InvalidProtocolBufferException;

/** Makes operators of fused stages. Used by one thread. */
final class StageTranslator {

  private static final String PROCESS = BeamUrns.getUrn(StandardEnvironments.Environments.PROCESS);

  private final PortableGraph graph;
  private final JobInfo job;
  private final NativeMemory harnessMemory;
  private boolean harnessCounted;

  StageTranslator(PortableGraph graph, JobInfo job) {
    this.graph = graph;
    this.job = job;
    this.harnessMemory =
        new NativeMemory(
            PortabilityOptions.harnessMemoryBytes(
                PipelineOptionsTranslation.fromProto(job.pipelineOptions())));
  }

  void add(PTransform transform) {
    ExecutableStagePayload payload = payload(transform);
    ExecutableStage stage = ExecutableStage.fromPayload(payload);
    String name = name(stage);
    String input = stage.getInputPCollection().getId();
    boolean keyed = !stage.getUserStates().isEmpty() || !stage.getTimers().isEmpty();
    StageSpec spec =
        keyed
            ? StageSpec.keyed(name, payload, job, graph.keyedCoder(input), graph.windowing(input))
            : StageSpec.of(name, payload, job);
    String id = graph.newVertexId();
    FunctionSpec function =
        BeamSpecs.toFunctionSpec(keyed ? StageSpec.KEYED_STAGE : StageSpec.STAGE, spec);
    boolean work = processesRestrictions(stage, input);
    OperatorVertex vertex =
        OperatorVertex.of(id, name, function)
            .withTraits(work ? Set.of(OperatorTrait.READS_REPEATABLE_ORDER) : Set.of());
    Optional<ResourceSlot> slot = slot(stage, name);
    if (slot.isPresent()) {
      vertex = vertex.withProperties(vertex.properties().with(slot.get()));
    }
    if (!harnessCounted && stage.getEnvironment().getUrn().equals(PROCESS)) {
      // All tasks of an executor have the same harness, so it counts once and not for each stage.
      vertex = vertex.withProperties(vertex.properties().with(harnessMemory));
      harnessCounted = true;
    }
    graph.add(vertex);
    if (keyed) {
      graph.connectWholeKeys(input, id);
    } else if (work) {
      graph.connectWork(input, id, name);
    } else {
      graph.connectMain(input, id);
    }
    stage.getSideInputs().stream()
        .map(SideInputReference::collection)
        .map(collection -> collection.getId())
        .distinct()
        .forEach(collection -> graph.connectSideInput(collection, id));
    stage
        .getOutputPCollections()
        .forEach(output -> graph.produces(output.getId(), id, output.getId()));
  }

  /** SDKs put the hints of a step into its environment, so all steps of a stage have the same. */
  private static Optional<ResourceSlot> slot(ExecutableStage stage, String name) {
    Map<String, ByteString> hints = stage.getEnvironment().getResourceHintsMap();
    return HintedSlot.of(
        name, urn -> Optional.ofNullable(hints.get(urn)).map(ByteString::toByteArray));
  }

  private static ExecutableStagePayload payload(PTransform transform) {
    try {
      return ExecutableStagePayload.parseFrom(transform.getSpec().getPayload());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("what Beam's fuser has written is a stage", e);
    }
  }

  /** Whether the stage begins with the step that processes what others have split. */
  private static boolean processesRestrictions(ExecutableStage stage, String input) {
    return stage.getTransforms().stream()
        .map(PTransformNode::getTransform)
        .filter(transform -> transform.getInputsMap().containsValue(input))
        .anyMatch(
            transform ->
                transform
                    .getSpec()
                    .getUrn()
                    .equals(SPLITTABLE_PROCESS_SIZED_ELEMENTS_AND_RESTRICTIONS_URN));
  }

  /** The names of the steps, as many as a person reads at once. */
  private static String name(ExecutableStage stage) {
    List<String> steps =
        stage.getTransforms().stream().map(node -> node.getTransform().getUniqueName()).toList();
    int shown = Math.min(2, steps.size());
    return steps.stream().limit(shown).collect(Collectors.joining(" + "))
        + (steps.size() > shown ? " + " + (steps.size() - shown) + " more" : "");
  }
}
