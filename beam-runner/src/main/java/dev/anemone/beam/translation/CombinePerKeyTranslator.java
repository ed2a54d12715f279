// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.beam.spec.CombineSpec.Phase;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.CombineSplit;
import dev.anemone.ir.function.FunctionSpec;
import java.util.List;
import java.util.Optional;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * {@code Combine.perKey} becomes a shuffle by key into an operator that combines values. Where the
 * windows of a key do not depend on each other, the operator says how it can be split, so that a
 * pass can combine before the shuffle.
 */
final class CombinePerKeyTranslator implements TransformTranslator {

  /** Without a coder for accumulators, the parts do: GroupByKey, then a function on the values. */
  @Override
  public boolean canTranslate(AppliedPTransform<?, ?, ?> application) {
    return AccumulatorCoders.find(
            application,
            combine(application).getFn(),
            TranslationContext.kvCoderOf(Ports.main(application)).getValueCoder())
        .isPresent();
  }

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    PCollection<?> input = Ports.main(application);
    PCollection<?> output = Ports.output(application);
    WindowingStrategy<?, ?> windowing = input.getWindowingStrategy();
    KvCoder<?, ?> coder = TranslationContext.kvCoderOf(input);
    Combine.PerKey<?, ?, ?> combine = combine(application);
    List<PCollectionView<?>> sideInputs = combine.getSideInputs();
    Optional<Coder<?>> accumulatorCoder =
        AccumulatorCoders.find(application, combine.getFn(), coder.getValueCoder());
    CombineSpec whole =
        new CombineSpec(
            application.getFullName(),
            Phase.WHOLE,
            combine.getFn(),
            new CombineSpec.Coders(
                coder.getKeyCoder(),
                coder.getValueCoder(),
                accumulatorCoder.orElseThrow(),
                TranslationContext.kvCoderOf(output).getValueCoder()),
            windowing,
            sideInputs);
    String id = context.newVertexId();
    OperatorVertex vertex = OperatorVertex.of(id, application.getFullName(), spec(whole));
    boolean splits =
        sideInputs.isEmpty() && GroupingSpec.of(windowing).mode() != GroupingSpec.Mode.MERGING;
    context.add(splits ? vertex.withCombine(split(whole)) : vertex);
    context.connectGrouped(input, coder, id);
    for (PCollectionView<?> view : sideInputs) {
      context.connectSideInput(view, id);
    }
    context.produces(output, id, IREdge.MAIN);
  }

  private static Combine.PerKey<?, ?, ?> combine(AppliedPTransform<?, ?, ?> application) {
    return (Combine.PerKey<?, ?, ?>) application.getTransform();
  }

  private static CombineSplit split(CombineSpec whole) {
    return new CombineSplit(
        spec(whole),
        spec(whole.withPhase(Phase.PARTIAL)),
        spec(whole.withPhase(Phase.MERGING)),
        TranslationContext.elementCoder(
            KvCoder.of(whole.coders().key(), whole.coders().input()), whole.windowing()),
        TranslationContext.elementCoder(
            KvCoder.of(whole.coders().key(), whole.coders().accumulator()), whole.windowing()));
  }

  private static FunctionSpec spec(CombineSpec combine) {
    return BeamSpecs.toFunctionSpec(Urns.COMBINE, combine);
  }
}
