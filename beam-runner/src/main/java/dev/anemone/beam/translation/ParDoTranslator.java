package dev.anemone.beam.translation;

import dev.anemone.beam.InvalidPipelineException;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.ParDoSpec;
import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;

/**
 * {@code ParDo} becomes an operator that reads its main input one-to-one and its side inputs by
 * broadcast. A DoFn may do anything, so the operator has no traits.
 */
final class ParDoTranslator implements TransformTranslator {

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    ParDo.MultiOutput<?, ?> parDo = (ParDo.MultiOutput<?, ?>) application.getTransform();
    String name = application.getFullName();
    PCollection<?> input = Ports.main(application);
    Map<String, PCollectionView<?>> sideInputs = parDo.getSideInputs();
    String id = context.newVertexId();
    context.add(
        OperatorVertex.of(
            id,
            name,
            BeamSpecs.toFunctionSpec(
                Urns.PAR_DO,
                new ParDoSpec(
                    name,
                    parDo.getFn(),
                    parDo.getMainOutputTag(),
                    parDo.getAdditionalOutputTags().getAll(),
                    outputCoders(application),
                    input.getCoder(),
                    input.getWindowingStrategy(),
                    List.copyOf(sideInputs.values()),
                    sideInputs,
                    ParDo.getDoFnSchemaInformation(parDo.getFn(), input)))));
    context.connectMain(input, id);
    for (PCollectionView<?> view : sideInputs.values()) {
      context.connectSideInput(view, id);
    }
    for (Map.Entry<TupleTag<?>, PCollection<?>> output : application.getOutputs().entrySet()) {
      context.produces(
          output.getValue(), id, outputName(output.getKey(), parDo.getMainOutputTag(), name));
    }
  }

  private static String outputName(TupleTag<?> tag, TupleTag<?> main, String stepName) {
    if (tag.equals(main)) {
      return IREdge.MAIN;
    }
    if (tag.getId().equals(IREdge.MAIN)) {
      throw new InvalidPipelineException(
          "Step '"
              + stepName
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
