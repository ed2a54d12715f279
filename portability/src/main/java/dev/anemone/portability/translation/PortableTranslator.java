// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.translation;

import static org.apache.beam.sdk.util.construction.PTransformTranslation.FLATTEN_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.GROUP_BY_KEY_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.IMPULSE_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.PAR_DO_TRANSFORM_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.REDISTRIBUTE_ARBITRARILY_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.REDISTRIBUTE_BY_KEY_URN;
import static org.apache.beam.sdk.util.construction.PTransformTranslation.RESHUFFLE_URN;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.GroupByKeySpec;
import dev.anemone.beam.spec.Urns;
import dev.anemone.beam.translation.Translation;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;
import org.apache.beam.sdk.util.construction.graph.GreedyPipelineFuser;
import org.apache.beam.sdk.util.construction.graph.PipelineNode.PTransformNode;
import org.apache.beam.sdk.util.construction.graph.ProtoOverrides;
import org.apache.beam.sdk.util.construction.graph.QueryablePipeline;
import org.apache.beam.sdk.util.construction.graph.SplittableParDoExpander;
import org.apache.beam.sdk.util.construction.graph.TrivialNativeTransformExpander;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.Iterables;

/**
 * Translates a portable pipeline: what SDKs run is fused to stages by Beam, each of which becomes
 * an operator; what the runner runs is the same in the IR as for Java.
 *
 * <pre>
 * Impulse          source vertex of one part
 * Flatten          nothing: whoever reads it gets one edge from each of its inputs; in stages
 *                  where SDKs make them ({@link FlattenCopies})
 * GroupByKey       shuffle by key into an operator that collects values
 * CombinePerKey    its parts, with one before the shuffle where it can be ({@link CombineLifting})
 * Reshuffle        shuffle without keys into an operator that hands elements on
 * stable input     operator that keeps what a later attempt is to get ({@link StableInputSteps})
 * stage            operator vertex; side inputs are broadcast edges
 * stage, stateful  shuffle by whole keys into a group operator
 * stage, of restrictions  operator that orders them by their bytes, and a shuffle without keys, in
 *                  turn, into an operator
 * </pre>
 *
 * <p>Coders that Beam's Java SDK does not know are prefixed with the length and stay bytes, so that
 * keys are equal when their bytes are. Used by one thread, once.
 */
public final class PortableTranslator {

  private static final Set<String> OF_RUNNER =
      Set.of(
          IMPULSE_TRANSFORM_URN,
          FLATTEN_TRANSFORM_URN,
          GROUP_BY_KEY_TRANSFORM_URN,
          RESHUFFLE_URN,
          REDISTRIBUTE_BY_KEY_URN,
          REDISTRIBUTE_ARBITRARILY_URN);

  private final QueryablePipeline pipeline;
  private final PortableGraph graph;
  private final StageTranslator stages;
  private final Map<String, Path> files;

  private PortableTranslator(RunnerApi.Pipeline fused, JobInfo job, Map<String, Path> files) {
    this.pipeline =
        QueryablePipeline.forTransforms(fused.getRootTransformIdsList(), fused.getComponents());
    this.graph = new PortableGraph(fused.getComponents());
    this.stages = new StageTranslator(graph, job);
    this.files = files;
  }

  /**
   * A translator of a pipeline.
   *
   * @param job what harnesses get to know of the job
   * @throws InvalidPipelineException when the pipeline needs what this runner does not have; names
   *     it
   */
  public static PortableTranslator of(RunnerApi.Pipeline submitted, JobInfo job) {
    RunnerApi.Pipeline pipeline = ChosenEnvironments.in(submitted);
    PortableCheck.check(pipeline);
    ArtifactFiles staged = ArtifactFiles.in(pipeline);
    RunnerApi.Pipeline trimmed =
        TrivialNativeTransformExpander.forKnownUrns(
            CombineLifting.in(staged.pipeline()), OF_RUNNER);
    RunnerApi.Pipeline split =
        ProtoOverrides.updateTransform(
            PAR_DO_TRANSFORM_URN,
            StableInputSteps.in(trimmed),
            SplittableParDoExpander.createSizedReplacement());
    RunnerApi.Pipeline flattened = FlattenCopies.in(split);
    return new PortableTranslator(
        GreedyPipelineFuser.fuse(flattened).toPipeline(), job, staged.files());
  }

  /** The graph. */
  public Translation translate() {
    for (PTransformNode node : pipeline.getTopologicallyOrderedTransforms()) {
      translate(node.getTransform());
    }
    return graph.build(files);
  }

  private void translate(PTransform transform) {
    switch (transform.getSpec().getUrn()) {
      case IMPULSE_TRANSFORM_URN -> addImpulse(transform);
      case FLATTEN_TRANSFORM_URN -> addFlatten(transform);
      case GROUP_BY_KEY_TRANSFORM_URN -> addGroupByKey(transform);
      case RESHUFFLE_URN, REDISTRIBUTE_ARBITRARILY_URN -> addSpread(transform);
      case REDISTRIBUTE_BY_KEY_URN -> addSpreadByKey(transform);
      case Urns.STABLE_INPUT -> addStableInput(transform);
      case ExecutableStage.URN -> stages.add(transform);
      default ->
          throw new InvalidPipelineException(
              "Step '"
                  + transform.getUniqueName()
                  + "' is a transform that NemoRunner does not know, and that no environment of the"
                  + " pipeline runs: "
                  + transform.getSpec().getUrn()
                  + ". Express it with ParDo, GroupByKey, Combine, Flatten and bounded reads, or run"
                  + " the pipeline on another runner.");
    }
  }

  private void addImpulse(PTransform transform) {
    FunctionSpec impulse = FunctionSpec.of(Urns.IMPULSE);
    String id = graph.newVertexId();
    graph.add(
        SourceVertex.of(
            id,
            transform.getUniqueName(),
            impulse,
            List.of(new SourcePart(impulse, 0, List.of()))));
    graph.produces(only(transform.getOutputsMap().values()), id, IREdge.MAIN);
  }

  private void addFlatten(PTransform transform) {
    graph.producesUnion(
        only(transform.getOutputsMap().values()),
        List.copyOf(transform.getInputsMap().values()),
        transform.getUniqueName());
  }

  private void addGroupByKey(PTransform transform) {
    String input = only(transform.getInputsMap().values());
    String id = graph.newVertexId();
    graph.add(
        OperatorVertex.of(id, transform.getUniqueName(), keyed(Urns.GROUP_BY_KEY, transform)));
    graph.connectGrouped(input, id);
    graph.produces(only(transform.getOutputsMap().values()), id, IREdge.MAIN);
  }

  private void addSpreadByKey(PTransform transform) {
    String input = only(transform.getInputsMap().values());
    String id = graph.newVertexId();
    graph.add(
        OperatorVertex.of(id, transform.getUniqueName(), keyed(Urns.RESHUFFLE_BY_KEY, transform))
            .withTraits(Set.of(OperatorTrait.PURE)));
    graph.connectWholeKeys(input, id);
    graph.produces(only(transform.getOutputsMap().values()), id, IREdge.MAIN);
  }

  private void addSpread(PTransform transform) {
    String id = graph.newVertexId();
    graph.add(
        OperatorVertex.of(id, transform.getUniqueName(), FunctionSpec.of(Urns.IDENTITY))
            .withTraits(Set.of(OperatorTrait.PURE, OperatorTrait.DIVIDES_WORK)));
    graph.connectSpread(only(transform.getInputsMap().values()), id);
    graph.produces(only(transform.getOutputsMap().values()), id, IREdge.MAIN);
  }

  private void addStableInput(PTransform transform) {
    String input = only(transform.getInputsMap().values());
    String id = graph.newVertexId();
    graph.add(
        OperatorVertex.of(
            id,
            transform.getUniqueName(),
            BeamSpecs.toFunctionSpec(Urns.STABLE_INPUT, graph.elementCoder(input))));
    graph.connectMain(input, id);
    graph.produces(only(transform.getOutputsMap().values()), id, IREdge.MAIN);
  }

  private FunctionSpec keyed(String urn, PTransform transform) {
    String input = only(transform.getInputsMap().values());
    KvCoder<?, ?> coder = graph.keyedCoder(input);
    return BeamSpecs.toFunctionSpec(
        urn,
        new GroupByKeySpec(
            transform.getUniqueName(),
            coder.getKeyCoder(),
            coder.getValueCoder(),
            graph.windowing(input)));
  }

  private static String only(Iterable<String> ports) {
    return Iterables.getOnlyElement(ports);
  }
}
