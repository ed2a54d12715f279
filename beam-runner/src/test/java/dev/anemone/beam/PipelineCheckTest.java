// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.InvalidPipelineException;
import java.util.stream.IntStream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.io.FileIO;
import org.apache.beam.sdk.io.GenerateSequence;
import org.apache.beam.sdk.io.range.OffsetRange;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.Timer;
import org.apache.beam.sdk.state.TimerSpec;
import org.apache.beam.sdk.state.TimerSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Impulse;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.PeriodicImpulse;
import org.apache.beam.sdk.transforms.Watch.Growth;
import org.apache.beam.sdk.transforms.splittabledofn.RestrictionTracker;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;

class PipelineCheckTest {

  private final Pipeline pipeline = Pipeline.create();

  @Test
  void aBoundedPipelineIsAccepted() {
    pipeline.apply(Create.of(1, 2)).apply(ParDo.of(new BoundedSplittable()));

    assertThat(PipelineCheck.hasSteps(pipeline)).isTrue();
  }

  @Test
  void aPipelineWithoutStepsHasNothingToRun() {
    assertThat(PipelineCheck.hasSteps(pipeline)).isFalse();
  }

  @Test
  void anUnboundedSourceIsRefused() {
    pipeline.apply("Numbers", GenerateSequence.from(0));

    assertRefused("Numbers/Read(UnboundedCountingSource)", "an unbounded source");
  }

  @Test
  void aTestStreamIsRefused() {
    pipeline.apply("Stream", TestStream.create(StringUtf8Coder.of()).advanceWatermarkToInfinity());

    assertRefused("Stream", "a TestStream");
  }

  @Test
  void stateAndTimersAreAccepted() {
    PCollection<KV<Integer, Integer>> input = pipeline.apply(Create.of(KV.of(1, 2)));
    input.apply("Dedup", ParDo.of(new Stateful()));
    input.apply("Wait", ParDo.of(new Timed()));

    assertThatCode(() -> PipelineCheck.hasSteps(pipeline)).doesNotThrowAnyException();
  }

  @Test
  void stateInWindowsThatMergeIsRefused() {
    pipeline
        .apply(Create.of(KV.of(1, 2)))
        .apply(Window.into(Sessions.withGapDuration(Duration.standardMinutes(1))))
        .apply("Dedup", ParDo.of(new Stateful()));

    assertRefused("Dedup/ParMultiDo(Stateful)", "state or timers in windows that merge");
  }

  @Test
  void anUnboundedSplittableDoFnIsRefused() {
    pipeline
        .apply(Create.of("*.txt"))
        .apply(
            "Watch", FileIO.matchAll().continuously(Duration.standardSeconds(1), Growth.never()));

    assertThatThrownBy(() -> PipelineCheck.hasSteps(pipeline))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("step 'Watch/")
        .hasMessageContaining("splittable DoFn with unbounded output");
  }

  @Test
  void aSplittableDoFnThatMayEndIsAccepted() {
    pipeline.apply("Tick", PeriodicImpulse.create().withInterval(Duration.standardSeconds(1)));

    assertThatCode(() -> PipelineCheck.hasSteps(pipeline)).doesNotThrowAnyException();
  }

  @Test
  void anUnboundedCollectionIsRefused() {
    PCollection<byte[]> impulse = pipeline.apply("Start", Impulse.create());
    impulse.setIsBoundedInternal(IsBounded.UNBOUNDED);

    assertRefused("Start", "an unbounded PCollection");
  }

  @Test
  void manyRefusalsAreCounted() {
    IntStream.range(0, 8).forEach(i -> pipeline.apply("Numbers" + i, GenerateSequence.from(0)));

    assertThatThrownBy(() -> PipelineCheck.hasSteps(pipeline))
        .hasMessageContaining("Numbers4")
        .hasMessageNotContaining("Numbers5")
        .hasMessageContaining("3 more");
  }

  private void assertRefused(String step, String feature) {
    assertThatThrownBy(() -> PipelineCheck.hasSteps(pipeline))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("step '" + step + "' uses " + feature)
        .hasMessageNotContaining("\n");
  }

  static final class Stateful extends DoFn<KV<Integer, Integer>, Integer> {

    @StateId("seen")
    private final StateSpec<ValueState<Integer>> seen = StateSpecs.value();

    @ProcessElement
    public void process(
        @Element KV<Integer, Integer> element, @StateId("seen") ValueState<Integer> state) {
      state.write(element.getValue());
    }
  }

  static final class Timed extends DoFn<KV<Integer, Integer>, Integer> {

    @TimerId("later")
    private final TimerSpec later = TimerSpecs.timer(TimeDomain.EVENT_TIME);

    @ProcessElement
    public void process(@TimerId("later") Timer timer) {
      timer.offset(Duration.standardMinutes(1)).setRelative();
    }

    @OnTimer("later")
    public void onLater(OutputReceiver<Integer> out) {
      out.output(1);
    }
  }

  @DoFn.BoundedPerElement
  static final class BoundedSplittable extends DoFn<Integer, Long> {

    @ProcessElement
    public void process(RestrictionTracker<OffsetRange, Long> tracker, OutputReceiver<Long> out) {
      for (long i = tracker.currentRestriction().getFrom(); tracker.tryClaim(i); i++) {
        out.output(i);
      }
    }

    @GetInitialRestriction
    public OffsetRange range(@Element Integer element) {
      return new OffsetRange(0, element);
    }
  }
}
