// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import java.util.EnumSet;
import java.util.Set;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.values.PCollection;

/**
 * {@code Reshuffle.viaRandomKey} and {@code Redistribute.arbitrarily} become a shuffle without keys
 * or order into an operator that hands its input on: timestamps, windows and panes stay as they
 * are. Elements of sources that read in the order of positions may be dealt out in turn.
 */
final class ReshuffleTranslator implements TransformTranslator {

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    String name = application.getFullName();
    PCollection<?> input = Ports.main(application);
    PCollection<?> output = Ports.output(application);
    // What is kept for later attempts is kept in an order, too.
    boolean inTurn = context.isInRepeatableOrder(input) || context.isKeptBeforeSpread(output);
    Set<OperatorTrait> traits = EnumSet.of(OperatorTrait.PURE);
    if (inTurn) {
      traits.add(OperatorTrait.READS_REPEATABLE_ORDER);
    }
    // Whoever asks for a shuffle without a key means the work behind it. Names of files, which
    // sinks
    // spread, are no work.
    if (!StableInputs.namesFiles(input.getCoder())) {
      traits.add(OperatorTrait.DIVIDES_WORK);
    }
    String id = context.newVertexId();
    context.add(OperatorVertex.of(id, name, FunctionSpec.of(Urns.IDENTITY)).withTraits(traits));
    context.connectSpread(context.inputOfSpread(input, output, name), id);
    context.produces(output, id, IREdge.MAIN);
  }
}
