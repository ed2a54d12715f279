// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.harness;

import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.beam.spec.CombineSpec.Phase;
import dev.anemone.beam.spec.GroupByKeySpec;
import dev.anemone.beam.spec.ParDoSpec;
import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.function.FunctionSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.transforms.CombineFnBase.GlobalCombineFn;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.DoFnSchemaInformation;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowingStrategy;

/** Specs of steps as the translation of a pipeline makes them. */
public final class Steps {

  private Steps() {}

  /** A DoFn with one output, in the global window. */
  public static FunctionSpec parDo(String name, DoFn<?, ?> doFn) {
    return parDo(name, doFn, new TupleTag<>("main-tag"), List.of(), Map.of());
  }

  /** A DoFn with side inputs, each also known to it by a name. */
  public static FunctionSpec parDo(
      String name,
      DoFn<?, ?> doFn,
      TupleTag<?> main,
      List<TupleTag<?>> additional,
      Map<String, PCollectionView<?>> sideInputs) {
    Map<TupleTag<?>, Coder<?>> coders = new LinkedHashMap<>();
    coders.put(main, StringUtf8Coder.of());
    return BeamSpecs.toFunctionSpec(
        Urns.PAR_DO,
        new ParDoSpec(
            name,
            doFn,
            new ParDoSpec.Outputs(main, additional, coders),
            StringUtf8Coder.of(),
            WindowingStrategy.globalDefault(),
            List.copyOf(sideInputs.values()),
            sideInputs,
            DoFnSchemaInformation.create()));
  }

  /** A group by key. */
  public static FunctionSpec groupByKey(
      Coder<?> keyCoder, Coder<?> valueCoder, WindowingStrategy<?, ?> windowing) {
    return BeamSpecs.toFunctionSpec(
        Urns.GROUP_BY_KEY, new GroupByKeySpec("Group", keyCoder, valueCoder, windowing));
  }

  /** Shuffles elements and groups them by key. */
  public static List<WindowedValue<Object>> runGroupByKey(
      Coder<?> keyCoder,
      Coder<?> valueCoder,
      WindowingStrategy<?, ?> windowing,
      List<? extends WindowedValue<?>> elements)
      throws Exception {
    return new InMemoryTask(groupByKey(keyCoder, valueCoder, windowing))
        .runGroups(new InMemoryShuffle(keyCoder, valueCoder, windowing).add(elements).groups());
  }

  /** A combine of any phase; change the phase with {@link CombineSpec#withPhase}. */
  public static CombineSpec combine(
      GlobalCombineFn<?, ?, ?> combineFn,
      Coder<?> keyCoder,
      Coder<?> inputCoder,
      Coder<?> accumulatorCoder,
      Coder<?> outputCoder,
      WindowingStrategy<?, ?> windowing) {
    return new CombineSpec(
        "Combine",
        Phase.WHOLE,
        combineFn,
        new CombineSpec.Coders(keyCoder, inputCoder, accumulatorCoder, outputCoder),
        windowing,
        List.of());
  }

  /** Shuffles elements and combines them after the shuffle. */
  public static List<WindowedValue<Object>> runWhole(
      CombineSpec spec, List<? extends WindowedValue<?>> elements) throws Exception {
    InMemoryShuffle shuffle =
        new InMemoryShuffle(spec.coders().key(), spec.coders().input(), spec.windowing())
            .add(elements);
    return new InMemoryTask(BeamSpecs.toFunctionSpec(Urns.COMBINE, spec.withPhase(Phase.WHOLE)))
        .runGroups(shuffle.groups());
  }

  /**
   * Combines the elements of each task, shuffles the accumulators and merges them.
   *
   * @param memoryBudget of each task, in bytes
   */
  public static List<WindowedValue<Object>> runSplit(
      CombineSpec spec, long memoryBudget, List<? extends List<? extends WindowedValue<?>>> tasks)
      throws Exception {
    InMemoryShuffle shuffle =
        new InMemoryShuffle(spec.coders().key(), spec.coders().accumulator(), spec.windowing());
    for (List<? extends WindowedValue<?>> elements : tasks) {
      shuffle.add(runPartial(spec, memoryBudget, elements));
    }
    return new InMemoryTask(BeamSpecs.toFunctionSpec(Urns.COMBINE, spec.withPhase(Phase.MERGING)))
        .runGroups(shuffle.groups());
  }

  /** Combines the elements of one task. */
  public static List<WindowedValue<Object>> runPartial(
      CombineSpec spec, long memoryBudget, List<? extends WindowedValue<?>> elements)
      throws Exception {
    return new InMemoryTask(BeamSpecs.toFunctionSpec(Urns.COMBINE, spec.withPhase(Phase.PARTIAL)))
        .withMemoryBudget(memoryBudget)
        .run(elements);
  }
}
