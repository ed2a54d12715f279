// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.ir.IRDag;
import java.io.IOException;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.MapCoder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.io.range.OffsetRange;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.splittabledofn.RestrictionTracker;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;

class ParDoTranslatorTest {

  private final Pipeline pipeline = Pipeline.create();

  @Test
  void stateSplittingAndStableInputHaveOperatorsOfTheirOwn() throws IOException {
    PCollection<KV<Integer, Integer>> pairs =
        pipeline
            .apply("Pairs", Create.of(KV.of(1, 2)))
            .apply("Windows", Window.into(FixedWindows.of(Duration.standardMinutes(1))));
    pairs.apply("Plain", ParDo.of(new Plain()));
    pairs.apply("Stable", ParDo.of(new Stable()));
    pairs.apply("Stateful", ParDo.of(new Stateful()));
    pairs.apply("Splittable", ParDo.of(new Splittable()));

    GoldenPlan.assertMatches("par-do-kinds", translate());
  }

  @Test
  void sortedInputNeedsKeysWithOneEncoding() {
    pipeline
        .apply(
            Create.of(KV.of(Map.of(1, 1), 2))
                .withCoder(
                    KvCoder.of(MapCoder.of(VarIntCoder.of(), VarIntCoder.of()), VarIntCoder.of())))
        .apply("Sorted", ParDo.of(new Sorted()));

    assertThatThrownBy(this::translate)
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("Step 'Sorted/ParMultiDo(Sorted)' keeps state by key")
        .hasMessageContaining("is not deterministic");
  }

  private IRDag translate() {
    return PipelineTranslator.translate(pipeline, PipelineOptionsFactory.create(), 2).dag();
  }

  static final class Plain extends DoFn<KV<Integer, Integer>, Integer> {
    @ProcessElement
    public void process() {}
  }

  static final class Stable extends DoFn<KV<Integer, Integer>, Integer> {
    @RequiresStableInput
    @ProcessElement
    public void process() {}
  }

  static final class Stateful extends DoFn<KV<Integer, Integer>, Integer> {
    @StateId("state")
    private final StateSpec<ValueState<Integer>> spec = StateSpecs.value();

    @ProcessElement
    public void process(@StateId("state") ValueState<Integer> state) {
      state.clear();
    }
  }

  static final class Sorted extends DoFn<KV<Map<Integer, Integer>, Integer>, Integer> {
    @RequiresTimeSortedInput
    @ProcessElement
    public void process() {}
  }

  static final class Splittable extends DoFn<KV<Integer, Integer>, Integer> {
    @ProcessElement
    public void process(RestrictionTracker<OffsetRange, Long> tracker) {
      tracker.tryClaim(0L);
    }

    @GetInitialRestriction
    public OffsetRange range() {
      return new OffsetRange(0, 1);
    }
  }
}
