// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator;

import dev.anemone.beam.coder.KeyedRecordEncoder;
import dev.anemone.beam.coder.WindowedValueCodec;
import dev.anemone.beam.operator.combine.AccumulatorCombiner;
import dev.anemone.beam.operator.combine.CombineGroupedValuesOperator;
import dev.anemone.beam.operator.combine.CombineOperators;
import dev.anemone.beam.operator.dofn.DivideRestrictionsOperator;
import dev.anemone.beam.operator.dofn.ParDoOperator;
import dev.anemone.beam.operator.dofn.ProcessRestrictionsOperator;
import dev.anemone.beam.operator.dofn.ProcessRestsOperator;
import dev.anemone.beam.operator.dofn.SplitRestrictionsOperator;
import dev.anemone.beam.operator.dofn.StableInputOperator;
import dev.anemone.beam.operator.dofn.StatefulParDoOperator;
import dev.anemone.beam.operator.group.GroupByKeyOperator;
import dev.anemone.beam.operator.group.MergingGroupByKeyOperator;
import dev.anemone.beam.operator.group.ReshuffleByKeyOperator;
import dev.anemone.beam.operator.group.TriggeredGroupOperator;
import dev.anemone.beam.operator.step.AssignWindowsOperator;
import dev.anemone.beam.operator.step.IdentityOperator;
import dev.anemone.beam.operator.step.JobOptions;
import dev.anemone.beam.source.BoundedSourceReader;
import dev.anemone.beam.source.ImpulseReader;
import dev.anemone.beam.spec.AssignWindowsSpec;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.beam.spec.DivideRestrictionsSpec;
import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.beam.spec.GroupByKeySpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.beam.spec.ParDoSpec;
import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.runtime.spi.ElementDecoder;
import dev.anemone.runtime.spi.ElementEncoder;
import dev.anemone.runtime.spi.FunctionProvider;
import dev.anemone.runtime.spi.Operator;
import dev.anemone.runtime.spi.RecordCombiner;
import dev.anemone.runtime.spi.RecordEncoder;
import dev.anemone.runtime.spi.SourceReader;
import dev.anemone.runtime.spi.TaskContext;
import java.util.Optional;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.BoundedSource;

/** Makes the sources, operators and coders that the specs of {@link Urns} describe. */
public final class BeamFunctionProvider implements FunctionProvider {

  @Override
  public boolean provides(String urn) {
    return urn.startsWith(Urns.PREFIX);
  }

  @Override
  public SourceReader sourceReader(SourceVertex source, FunctionSpec part, TaskContext context)
      throws Exception {
    return switch (source.source().urn()) {
      case Urns.IMPULSE -> new ImpulseReader();
      case Urns.READ ->
          new BoundedSourceReader(
              BeamSpecs.payload(part, BoundedSource.class, context.classLoader()),
              source.name(),
              JobOptions.of(context),
              context);
      default -> throw unknown("source", source.source());
    };
  }

  @Override
  public Operator operator(FunctionSpec spec, TaskContext context) {
    ClassLoader loader = context.classLoader();
    return switch (spec.urn()) {
      case Urns.PAR_DO -> new ParDoOperator(BeamSpecs.payload(spec, ParDoSpec.class, loader));
      case Urns.STATEFUL_PAR_DO ->
          new StatefulParDoOperator(BeamSpecs.payload(spec, ParDoSpec.class, loader));
      case Urns.SPLIT_RESTRICTIONS ->
          new SplitRestrictionsOperator(BeamSpecs.payload(spec, ParDoSpec.class, loader));
      case Urns.PROCESS_RESTRICTIONS ->
          new ProcessRestrictionsOperator(BeamSpecs.payload(spec, ParDoSpec.class, loader));
      case Urns.DIVIDE_RESTRICTIONS ->
          new DivideRestrictionsOperator(
              BeamSpecs.payload(spec, DivideRestrictionsSpec.class, loader));
      case Urns.PROCESS_RESTS ->
          new ProcessRestsOperator(BeamSpecs.payload(spec, ParDoSpec.class, loader));
      case Urns.ASSIGN_WINDOWS ->
          new AssignWindowsOperator(BeamSpecs.payload(spec, AssignWindowsSpec.class, loader));
      case Urns.GROUP_BY_KEY -> groupByKey(BeamSpecs.payload(spec, GroupByKeySpec.class, loader));
      case Urns.RESHUFFLE_BY_KEY ->
          new ReshuffleByKeyOperator(BeamSpecs.payload(spec, GroupByKeySpec.class, loader));
      case Urns.COMBINE -> CombineOperators.of(BeamSpecs.payload(spec, CombineSpec.class, loader));
      case Urns.COMBINE_GROUPED_VALUES ->
          new CombineGroupedValuesOperator(BeamSpecs.payload(spec, CombineSpec.class, loader));
      case Urns.IDENTITY -> new IdentityOperator();
      case Urns.STABLE_INPUT ->
          new StableInputOperator(BeamSpecs.payload(spec, ElementCoderSpec.class, loader));
      default -> throw unknown("operator", spec);
    };
  }

  private static Operator groupByKey(GroupByKeySpec spec) {
    if (GroupingSpec.of(spec.windowing()).mode() != GroupingSpec.Mode.MERGING) {
      return new GroupByKeyOperator(spec);
    }
    return GroupingSpec.firesOnce(spec.windowing().getTrigger())
        ? new MergingGroupByKeyOperator(spec)
        : TriggeredGroupOperator.grouping(spec);
  }

  @Override
  public ElementEncoder encoder(FunctionSpec encoder, TaskContext context) throws Exception {
    return codec(encoder, context);
  }

  @Override
  public ElementDecoder decoder(FunctionSpec decoder, TaskContext context) throws Exception {
    return codec(decoder, context);
  }

  private static WindowedValueCodec codec(FunctionSpec spec, TaskContext context) throws Exception {
    return new WindowedValueCodec(elementCoder(spec, context));
  }

  @Override
  public RecordEncoder recordEncoder(
      FunctionSpec keyExtractor, FunctionSpec keyEncoder, FunctionSpec encoder, TaskContext context)
      throws Exception {
    if (!keyExtractor.urn().equals(Urns.KV_KEY)) {
      throw unknown("key extractor", keyExtractor);
    }
    if (!keyEncoder.urn().equals(Urns.CODER)) {
      throw unknown("key encoder", keyEncoder);
    }
    ClassLoader loader = context.classLoader();
    return new KeyedRecordEncoder(
        BeamSpecs.payload(keyExtractor, GroupingSpec.class, loader),
        BeamSpecs.payload(keyEncoder, Coder.class, loader),
        elementCoder(encoder, context));
  }

  @Override
  public Optional<RecordCombiner> recordCombiner(FunctionSpec operator, TaskContext context)
      throws Exception {
    return operator.urn().equals(Urns.COMBINE)
        ? AccumulatorCombiner.of(
            BeamSpecs.payload(operator, CombineSpec.class, context.classLoader()), context)
        : Optional.empty();
  }

  private static ElementCoderSpec elementCoder(FunctionSpec spec, TaskContext context)
      throws Exception {
    if (!spec.urn().equals(Urns.WINDOWED_VALUE)) {
      throw unknown("element coder", spec);
    }
    // Coders of file names ask Beam's file systems, which must know the options by then.
    JobOptions.of(context);
    return BeamSpecs.payload(spec, ElementCoderSpec.class, context.classLoader());
  }

  private static IllegalArgumentException unknown(String kind, FunctionSpec spec) {
    return new IllegalArgumentException(
        "The Beam runner has no " + kind + " with the URN " + spec.urn());
  }
}
