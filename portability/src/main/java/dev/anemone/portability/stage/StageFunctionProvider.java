// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.runtime.spi.ElementDecoder;
import dev.anemone.runtime.spi.ElementEncoder;
import dev.anemone.runtime.spi.FunctionProvider;
import dev.anemone.runtime.spi.Operator;
import dev.anemone.runtime.spi.RecordEncoder;
import dev.anemone.runtime.spi.SourceReader;
import dev.anemone.runtime.spi.TaskContext;

/** Makes the operators of {@link StageSpec}; all else of a portable pipeline is as for Java. */
public final class StageFunctionProvider implements FunctionProvider {

  @Override
  public boolean provides(String urn) {
    return urn.startsWith(StageSpec.PREFIX);
  }

  @Override
  public SourceReader sourceReader(SourceVertex source, FunctionSpec part, TaskContext context) {
    if (source.source().urn().equals(StageSpec.NOTHING)) {
      return output -> {};
    }
    throw unknown("source", source.source());
  }

  @Override
  public Operator operator(FunctionSpec spec, TaskContext context) {
    return switch (spec.urn()) {
      case StageSpec.STAGE -> new StageOperator(stage(spec, context));
      case StageSpec.KEYED_STAGE -> new KeyedStageOperator(stage(spec, context));
      case StageSpec.CONTENT_ORDER ->
          new ContentOrderOperator(
              BeamSpecs.payload(spec, ElementCoderSpec.class, context.classLoader()));
      default -> throw unknown("operator", spec);
    };
  }

  private static StageSpec stage(FunctionSpec spec, TaskContext context) {
    return BeamSpecs.payload(spec, StageSpec.class, context.classLoader());
  }

  @Override
  public ElementEncoder encoder(FunctionSpec encoder, TaskContext context) {
    throw unknown("encoder", encoder);
  }

  @Override
  public ElementDecoder decoder(FunctionSpec decoder, TaskContext context) {
    throw unknown("decoder", decoder);
  }

  @Override
  public RecordEncoder recordEncoder(
      FunctionSpec keyExtractor,
      FunctionSpec keyEncoder,
      FunctionSpec encoder,
      TaskContext context) {
    throw unknown("record encoder", encoder);
  }

  private static IllegalArgumentException unknown(String kind, FunctionSpec spec) {
    return new IllegalArgumentException(
        "The stages of SDK harnesses have no " + kind + " with the URN " + spec.urn());
  }
}
