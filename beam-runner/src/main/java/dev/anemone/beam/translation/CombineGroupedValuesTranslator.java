// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.beam.spec.CombineSpec.Phase;
import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import java.util.Optional;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.IterableLikeCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;

/** {@code Combine.groupedValues} becomes an operator that combines the values of each element. */
final class CombineGroupedValuesTranslator implements TransformTranslator {

  /** Where a coder is not known, the transform's parts do: they are one ParDo. */
  @Override
  public boolean canTranslate(AppliedPTransform<?, ?, ?> application) {
    return valueCoder(application)
        .flatMap(coder -> AccumulatorCoders.find(application, combine(application).getFn(), coder))
        .isPresent();
  }

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    String name = application.getFullName();
    PCollection<?> input = Ports.main(application);
    PCollection<?> output = Ports.output(application);
    Combine.GroupedValues<?, ?, ?> combine = combine(application);
    Coder<?> valueCoder = valueCoder(application).orElseThrow();
    String id = context.newVertexId();
    context.add(
        OperatorVertex.of(
            id,
            name,
            BeamSpecs.toFunctionSpec(
                Urns.COMBINE_GROUPED_VALUES,
                new CombineSpec(
                    name,
                    Phase.WHOLE,
                    combine.getFn(),
                    new CombineSpec.Coders(
                        TranslationContext.kvCoderOf(input).getKeyCoder(),
                        valueCoder,
                        AccumulatorCoders.find(application, combine.getFn(), valueCoder)
                            .orElseThrow(),
                        TranslationContext.kvCoderOf(output).getValueCoder()),
                    input.getWindowingStrategy(),
                    combine.getSideInputs()))));
    context.connectMain(context.inputOf(input), id);
    for (PCollectionView<?> view : combine.getSideInputs()) {
      context.connectSideInput(view, id);
    }
    context.produces(output, id, IREdge.MAIN);
  }

  private static Combine.GroupedValues<?, ?, ?> combine(AppliedPTransform<?, ?, ?> application) {
    return (Combine.GroupedValues<?, ?, ?>) application.getTransform();
  }

  private static Optional<Coder<?>> valueCoder(AppliedPTransform<?, ?, ?> application) {
    Coder<?> coder = Ports.main(application).getCoder();
    if (coder instanceof KvCoder<?, ?> pair
        && pair.getValueCoder() instanceof IterableLikeCoder<?, ?> values) {
      return Optional.of(values.getElemCoder());
    }
    return Optional.empty();
  }
}
