// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.NativeMemoryUser;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.options.OptionCheck;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.DivideRestrictionsSpec;
import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.beam.spec.ParDoSpec;
import dev.anemone.beam.spec.Urns;
import dev.anemone.beam.translation.TranslationContext.Input;
import dev.anemone.beam.translation.TranslationContext.Producer;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.NativeMemory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.Coder.NonDeterministicException;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.reflect.DoFnInvokers;
import org.apache.beam.sdk.transforms.reflect.DoFnSignature.ProcessElementMethod;
import org.apache.beam.sdk.transforms.reflect.DoFnSignatures;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;

/**
 * {@code ParDo} becomes an operator that reads its main input one-to-one and its side inputs by
 * broadcast. A DoFn may do anything, so the operator has no traits; but for the one by which a
 * CoGroupByKey says of which of its inputs an element is. That is the same step in each join that
 * an input enters in the same place, so passes can share it, and with it what is shuffled.
 *
 * <p>With state or timers, it is a group operator behind a shuffle by key. Where its input must be
 * stable, {@link StableInputs}, an operator in front of it keeps the elements that an attempt gets
 * for those that come after it, which may get others from the steps above.
 *
 * <p>A splittable DoFn is two operators: one that makes restrictions and splits them, and one that
 * processes them, behind a shuffle that spreads them over its tasks. Beam's own expansion gives
 * each restriction a random key, by which it would come to another task when the first operator
 * runs again after a loss; here the restriction itself says where it goes.
 *
 * <pre>
 * input --> split restrictions --(element, restriction)--> process restrictions --> outputs
 * </pre>
 *
 * <p>A DoFn that does not say how to split a restriction gets one more: what a task has not done in
 * some time is divided, and processed by several.
 *
 * <pre>
 * input --> split restrictions --(element, restriction)--> divide restrictions --> outputs
 *                                                            |
 *                                                            +--(rest)--> process rests --> outputs
 * </pre>
 */
final class ParDoTranslator implements TransformTranslator {

  /** Private in Beam. */
  private static final String UNION_TABLE_FN =
      CoGroupByKey.class.getName() + "$ConstructUnionTableFn";

  private static final String UNION_TABLE_STEP = "CoGroupByKey/MakeUnionTable";

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    ParDo.MultiOutput<?, ?> parDo = (ParDo.MultiOutput<?, ?>) application.getTransform();
    PCollection<?> input = Ports.main(application);
    ParDoSpec spec = specOf(application, parDo, input);
    ProcessElementMethod method = DoFnSignatures.signatureForDoFn(parDo.getFn()).processElement();
    Input read =
        StableInputs.neededBy(parDo.getFn())
            ? context.stableInputOf(input, spec.stepName())
            : context.inputOf(input);
    if (method.isSplittable()) {
      List<String> ids = addSplittable(spec, input, read, context);
      ids.forEach(each -> connectSideInputs(spec, each, context));
      produce(application, spec, ids, context);
      return;
    }
    String id;
    if (DoFnSignatures.isStateful(parDo.getFn())) {
      id = add(Urns.STATEFUL_PAR_DO, spec, context);
      context.connectWholeKeys(read, keyedCoder(input, spec.stepName()), id);
    } else if (isUnionTable(parDo)) {
      id = addUnionTable(application.getFullName(), spec, context);
      context.connectMain(read, id);
    } else {
      id = add(Urns.PAR_DO, spec, context);
      context.connectMain(read, id);
    }
    connectSideInputs(spec, id, context);
    produce(application, spec, List.of(id), context);
  }

  /** The outputs of a step are what these vertices make together. */
  private static void produce(
      AppliedPTransform<?, ?, ?> application,
      ParDoSpec spec,
      List<String> ids,
      TranslationContext context) {
    for (Map.Entry<TupleTag<?>, PCollection<?>> output : application.getOutputs().entrySet()) {
      String name = outputName(output.getKey(), spec);
      context.produces(output.getValue(), ids.stream().map(id -> new Producer(id, name)).toList());
    }
  }

  private static ParDoSpec specOf(
      AppliedPTransform<?, ?, ?> application, ParDo.MultiOutput<?, ?> parDo, PCollection<?> input) {
    Map<String, PCollectionView<?>> sideInputs = parDo.getSideInputs();
    return new ParDoSpec(
        // Equal steps have equal specs, so they do not say where they stand.
        isUnionTable(parDo) ? UNION_TABLE_STEP : application.getFullName(),
        parDo.getFn(),
        new ParDoSpec.Outputs(
            parDo.getMainOutputTag(),
            parDo.getAdditionalOutputTags().getAll(),
            outputCoders(application)),
        input.getCoder(),
        input.getWindowingStrategy(),
        List.copyOf(sideInputs.values()),
        sideInputs,
        ParDo.getDoFnSchemaInformation(parDo.getFn(), input));
  }

  private static String add(String urn, ParDoSpec spec, TranslationContext context) {
    String id = context.newVertexId();
    OperatorVertex vertex =
        OperatorVertex.of(id, spec.stepName(), BeamSpecs.toFunctionSpec(urn, spec));
    context.add(
        spec.doFn() instanceof NativeMemoryUser user
            ? vertex.withProperties(ExecutionProperties.of(new NativeMemory(user.nativeBytes())))
            : vertex);
    return id;
  }

  private static boolean isUnionTable(ParDo.MultiOutput<?, ?> parDo) {
    return parDo.getFn().getClass().getName().equals(UNION_TABLE_FN);
  }

  private static String addUnionTable(String name, ParDoSpec spec, TranslationContext context) {
    String id = context.newVertexId();
    context.add(
        OperatorVertex.of(id, name, BeamSpecs.toFunctionSpec(Urns.PAR_DO, spec))
            .withTraits(Set.of(OperatorTrait.PURE)));
    return id;
  }

  private static void connectSideInputs(ParDoSpec spec, String id, TranslationContext context) {
    for (PCollectionView<?> view : spec.sideInputs()) {
      context.connectSideInput(view, id);
    }
  }

  /** Adds the vertices of a splittable DoFn, and gives those that make its outputs. */
  private static List<String> addSplittable(
      ParDoSpec spec, PCollection<?> input, Input read, TranslationContext context) {
    Coder<?> restrictions =
        DoFnInvokers.invokerFor(spec.doFn())
            .invokeGetRestrictionCoder(input.getPipeline().getCoderRegistry());
    KvCoder<?, ?> pairs = KvCoder.of(input.getCoder(), restrictions);
    String split = context.newVertexId();
    context.add(
        OperatorVertex.of(
                split,
                spec.stepName() + "/SplitRestrictions",
                BeamSpecs.toFunctionSpec(Urns.SPLIT_RESTRICTIONS, spec))
            .withTraits(Set.of(OperatorTrait.DIVIDES_WORK)));
    context.connectMain(read, split);
    connectSideInputs(spec, split, context);
    Input ofPairs = outputOf(split, IREdge.MAIN, pairs, input);
    int limitMs =
        OptionCheck.atLeast(
            0,
            "divideRestrictionsAfterMs",
            context.options().as(NemoPipelineOptions.class).getDivideRestrictionsAfterMs(),
            "milliseconds before a restriction is divided");
    if (limitMs == 0 || DoFnSignatures.signatureForDoFn(spec.doFn()).splitRestriction() != null) {
      String process = add(Urns.PROCESS_RESTRICTIONS, spec, context);
      context.connectSpread(ofPairs, process);
      return List.of(process);
    }
    KvCoder<?, ?> rests =
        KvCoder.of(
            pairs,
            NullableCoder.of(
                DoFnInvokers.invokerFor(spec.doFn())
                    .invokeGetWatermarkEstimatorStateCoder(
                        input.getPipeline().getCoderRegistry())));
    Coder<? extends BoundedWindow> windows =
        input.getWindowingStrategy().getWindowFn().windowCoder();
    String divide = context.newVertexId();
    context.add(
        OperatorVertex.of(
            divide,
            spec.stepName(),
            BeamSpecs.toFunctionSpec(
                Urns.DIVIDE_RESTRICTIONS,
                new DivideRestrictionsSpec(
                    spec,
                    restrictions,
                    new ElementCoderSpec(pairs, windows),
                    new ElementCoderSpec(rests, windows),
                    limitMs,
                    context.slots()))));
    context.connectSpread(ofPairs, divide);
    String process = context.newVertexId();
    context.add(
        OperatorVertex.of(
                process,
                spec.stepName() + "/ProcessRests",
                BeamSpecs.toFunctionSpec(Urns.PROCESS_RESTS, spec))
            .withTraits(Set.of(OperatorTrait.DIVIDES_WORK, OperatorTrait.READS_REPEATABLE_ORDER)));
    context.connectSpread(outputOf(divide, DivideRestrictionsSpec.RESTS, rests, input), process);
    return List.of(divide, process);
  }

  /** An output of a vertex in the windows of a collection. */
  private static Input outputOf(
      String vertex, String output, Coder<?> coder, PCollection<?> windowed) {
    return new Input(
        List.of(new Producer(vertex, output)),
        TranslationContext.elementCoder(coder, windowed.getWindowingStrategy()));
  }

  /** The coder of an input that is grouped by key; Beam does not check it for all such DoFns. */
  private static KvCoder<?, ?> keyedCoder(PCollection<?> input, String stepName) {
    KvCoder<?, ?> coder = TranslationContext.kvCoderOf(input);
    try {
      coder.getKeyCoder().verifyDeterministic();
    } catch (NonDeterministicException e) {
      throw new InvalidPipelineException(
          "Step '"
              + stepName
              + "' keeps state by key, so equal keys must have equal bytes, but the key coder "
              + coder.getKeyCoder()
              + " is not deterministic: "
              + e.getMessage()
              + ". Set a KvCoder with a deterministic key coder on the PCollection.");
    }
    return coder;
  }

  private static String outputName(TupleTag<?> tag, ParDoSpec spec) {
    if (tag.equals(spec.outputs().main())) {
      return IREdge.MAIN;
    }
    if (tag.getId().equals(IREdge.MAIN)) {
      throw new InvalidPipelineException(
          "Step '"
              + spec.stepName()
              + "' has an additional output with the tag '"
              + IREdge.MAIN
              + "', which NemoRunner keeps for the main output. Give the TupleTag another id.");
    }
    return tag.getId();
  }

  /** The coders of the outputs, in the order of the outputs. */
  private static Map<TupleTag<?>, Coder<?>> outputCoders(AppliedPTransform<?, ?, ?> application) {
    Map<TupleTag<?>, Coder<?>> coders = new LinkedHashMap<>();
    application.getOutputs().forEach((tag, output) -> coders.put(tag, output.getCoder()));
    return coders;
  }
}
