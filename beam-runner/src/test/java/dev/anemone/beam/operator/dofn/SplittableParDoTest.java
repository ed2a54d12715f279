// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.harness.InMemoryAgreedFile;
import dev.anemone.beam.harness.InMemoryTask;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.DivideRestrictionsSpec;
import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.beam.spec.ParDoSpec;
import dev.anemone.beam.spec.Urns;
import dev.anemone.runtime.spi.ElementOperator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.beam.sdk.coders.InstantCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.io.range.OffsetRange;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.DoFnSchemaInformation;
import org.apache.beam.sdk.transforms.splittabledofn.GrowableOffsetRangeTracker;
import org.apache.beam.sdk.transforms.splittabledofn.ManualWatermarkEstimator;
import org.apache.beam.sdk.transforms.splittabledofn.RestrictionTracker;
import org.apache.beam.sdk.transforms.splittabledofn.RestrictionTracker.TruncateResult;
import org.apache.beam.sdk.transforms.splittabledofn.WatermarkEstimators;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SplittableParDoTest {

  private static final int SLOTS = 2;

  /** Limits in ms: the first claim is after it, or none is. */
  private static final int NO_TIME = 0;

  private static final int LONG = 3_600_000;

  /** What happened to the functions under test; they are copied, so it cannot be a field. */
  private static final List<String> EVENTS = new CopyOnWriteArrayList<>();

  @BeforeEach
  void forgetEvents() {
    EVENTS.clear();
  }

  @Test
  void restrictionsAreSplitForEachWindowAndNothingIsTruncated() throws Exception {
    IntervalWindow first = new IntervalWindow(Instant.ofEpochMilli(0), Duration.millis(10));
    IntervalWindow second = new IntervalWindow(Instant.ofEpochMilli(10), Duration.millis(10));
    List<WindowedValue<Object>> parts =
        run(
            Urns.SPLIT_RESTRICTIONS,
            new Letters(1),
            WindowedValues.of(
                "abc", first.start(), List.of(first, second), PaneInfo.ON_TIME_AND_ONLY_FIRING));

    assertThat(parts)
        .contains(
            WindowedValues.of(
                KV.of("abc", new OffsetRange(2, 3)),
                first.start(),
                second,
                PaneInfo.ON_TIME_AND_ONLY_FIRING))
        .hasSize(6);
    assertThat(EVENTS).containsExactly("setup", "teardown");
  }

  @Test
  void aRestrictionIsResumedUntilNothingIsLeft() throws Exception {
    List<WindowedValue<Object>> outputs = process(new Letters(2), "abcde", new OffsetRange(0, 5));

    assertThat(outputs)
        .extracting(WindowedValue::getValue)
        .containsExactly("a", "b", "c", "d", "e");
    assertThat(EVENTS)
        .containsExactly(
            "setup",
            "start",
            "from 0 at " + BoundedWindow.TIMESTAMP_MIN_VALUE.getMillis(),
            "finish",
            "start",
            "from 2 at 1",
            "finish",
            "start",
            "from 4 at 3",
            "finish",
            "teardown");
  }

  @Test
  void whatIsLeftOfARestrictionIsDivided() throws Exception {
    InMemoryTask task = dividing(new Letters(9), NO_TIME);
    List<WindowedValue<Object>> outputs = task.run(pair("abcdefghij", new OffsetRange(0, 10)));
    List<WindowedValue<Object>> rests = task.output(DivideRestrictionsSpec.RESTS, 0);

    assertThat(outputs).extracting(WindowedValue::getValue).containsExactly("a");
    assertThat(rests).hasSizeGreaterThanOrEqualTo(SLOTS);
    assertThat(EVENTS)
        .containsOnlyOnce("from 0 at " + BoundedWindow.TIMESTAMP_MIN_VALUE.getMillis());
    EVENTS.clear();
    InMemoryTask ofRests =
        new InMemoryTask(BeamSpecs.toFunctionSpec(Urns.PROCESS_RESTS, spec(new Letters(9))));
    assertThat(ofRests.run(rests))
        .extracting(WindowedValue::getValue)
        .containsExactly("b", "c", "d", "e", "f", "g", "h", "i", "j");
    assertThat(EVENTS).contains("from 1 at 0");
  }

  @Test
  void aDoFnThatWantsToBeResumedIsDividedToo() throws Exception {
    InMemoryTask task = dividing(new Letters(2), NO_TIME);
    List<WindowedValue<Object>> outputs = task.run(pair("abcde", new OffsetRange(0, 5)));
    List<WindowedValue<Object>> rests = task.output(DivideRestrictionsSpec.RESTS, 0);

    InMemoryTask ofRests =
        new InMemoryTask(BeamSpecs.toFunctionSpec(Urns.PROCESS_RESTS, spec(new Letters(2))));
    List<WindowedValue<Object>> all = new ArrayList<>(outputs);
    all.addAll(ofRests.run(rests));
    assertThat(all).extracting(WindowedValue::getValue).containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  void aRestrictionThatIsDoneInTimeIsNotDivided() throws Exception {
    InMemoryTask task = dividing(new Letters(2), LONG);
    List<WindowedValue<Object>> outputs = task.run(pair("abcde", new OffsetRange(0, 5)));

    assertThat(outputs).hasSize(5);
    assertThat(task.output(DivideRestrictionsSpec.RESTS, 0)).isEmpty();
  }

  @Test
  void whatIsLeftByADoFnThatAsksForFinalizationIsProcessedAfterTheCommit() throws Exception {
    InMemoryTask task = dividing(new Letters(2, true), LONG);
    List<WindowedValue<Object>> outputs = task.run(pair("abcde", new OffsetRange(0, 5)));
    List<WindowedValue<Object>> rests = task.output(DivideRestrictionsSpec.RESTS, 0);

    assertThat(outputs).extracting(WindowedValue::getValue).containsExactly("a", "b");
    assertThat(rests).hasSize(1);
    assertThat(EVENTS).doesNotContain("final");
    task.commit();
    assertThat(EVENTS).containsOnlyOnce("final");
    EVENTS.clear();
    InMemoryTask ofRests =
        new InMemoryTask(BeamSpecs.toFunctionSpec(Urns.PROCESS_RESTS, spec(new Letters(2, true))));
    assertThat(ofRests.run(rests))
        .extracting(WindowedValue::getValue)
        .containsExactly("c", "d", "e");
    assertThat(EVENTS).doesNotContain("final");
    ofRests.commit();
    assertThat(EVENTS).filteredOn("final"::equals).hasSize(2);
  }

  @Test
  void aSecondAttemptDividesAsTheFirst() throws Exception {
    InMemoryAgreedFile file = new InMemoryAgreedFile();
    List<WindowedValue<Object>> elements = new ArrayList<>(pair("abcde", new OffsetRange(0, 5)));
    elements.addAll(pair("fgh", new OffsetRange(0, 3)));
    InMemoryTask first = dividing(new Letters(9), NO_TIME).withAgreedFile(file);
    InMemoryTask second = dividing(new Letters(9), LONG).withAgreedFile(file);
    List<WindowedValue<Object>> outputs = first.run(elements);
    Collections.reverse(elements);

    assertThat(second.run(elements)).containsExactlyInAnyOrderElementsOf(outputs).hasSize(2);
    assertThat(second.output(DivideRestrictionsSpec.RESTS, 0))
        .containsExactlyElementsOf(first.output(DivideRestrictionsSpec.RESTS, 0));
  }

  @Test
  void anAttemptThatDividedOtherwiseThanOneThatHasEndedFails() throws Exception {
    InMemoryAgreedFile file = new InMemoryAgreedFile();
    InMemoryTask slow = dividing(new Letters(9), LONG).withAgreedFile(file);
    ElementOperator operator = (ElementOperator) slow.operator();
    operator.open(slow);
    List<WindowedValue<Object>> elements = pair("abcde", new OffsetRange(0, 5));
    operator.accept(elements.get(0));
    dividing(new Letters(9), NO_TIME).withAgreedFile(file).run(elements);

    assertThatThrownBy(operator::finish)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("step 'Letters'");
    assertThat(slow.output(DivideRestrictionsSpec.RESTS, 0)).isEmpty();
    operator.close();
  }

  private static InMemoryTask dividing(DoFn<String, String> doFn, int limitMs) {
    KvCoder<String, OffsetRange> pairs = KvCoder.of(StringUtf8Coder.of(), OffsetRange.Coder.of());
    return new InMemoryTask(
        BeamSpecs.toFunctionSpec(
            Urns.DIVIDE_RESTRICTIONS,
            new DivideRestrictionsSpec(
                spec(doFn),
                OffsetRange.Coder.of(),
                new ElementCoderSpec(pairs, GlobalWindow.Coder.INSTANCE),
                new ElementCoderSpec(
                    KvCoder.of(pairs, NullableCoder.of(InstantCoder.of())),
                    GlobalWindow.Coder.INSTANCE),
                limitMs,
                SLOTS)));
  }

  private static List<WindowedValue<Object>> pair(String element, OffsetRange restriction) {
    return List.of(WindowedValues.valueInGlobalWindow(KV.of(element, restriction)));
  }

  @Test
  void outputsMayBeEarlierThanTheElementButNotAfterTheEndOfTime() throws Exception {
    Instant now = Instant.ofEpochMilli(100);

    assertThat(
            run(
                Urns.PROCESS_RESTRICTIONS,
                new Dated(),
                WindowedValues.timestampedValueInGlobalWindow(
                    KV.of("first,second", new OffsetRange(5, 7)), now)))
        .containsExactly(
            WindowedValues.timestampedValueInGlobalWindow("first", Instant.ofEpochMilli(5)),
            WindowedValues.timestampedValueInGlobalWindow("second", Instant.ofEpochMilli(6)));
    long end = BoundedWindow.TIMESTAMP_MAX_VALUE.getMillis();
    assertThatThrownBy(
            () ->
                run(
                    Urns.PROCESS_RESTRICTIONS,
                    new Dated(),
                    WindowedValues.timestampedValueInGlobalWindow(
                        KV.of("first,second", new OffsetRange(end, end + 2)), now)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Cannot output with timestamp");
  }

  /** Gives words timestamps that its restriction has, in each way that there is to do so. */
  static final class Dated extends DoFn<String, String> {
    @ProcessElement
    public void process(
        ProcessContext context,
        RestrictionTracker<OffsetRange, Long> tracker,
        OutputReceiver<String> out) {
      String[] words = context.element().split(",", -1);
      long from = tracker.currentRestriction().getFrom();
      tracker.tryClaim(from);
      context.outputWithTimestamp(words[0], Instant.ofEpochMilli(from));
      tracker.tryClaim(from + 1);
      out.builder(words[1]).setTimestamp(Instant.ofEpochMilli(from + 1)).output();
    }

    @GetInitialRestriction
    public OffsetRange range() {
      return new OffsetRange(0, 2);
    }
  }

  @Test
  void aRestrictionThatIsLeftUndoneFailsTheJob() {
    assertThatThrownBy(() -> process(new Lazy(), "abc", new OffsetRange(0, 3)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("[0, 3)");
  }

  static final class Lazy extends DoFn<String, String> {
    @ProcessElement
    public void process(RestrictionTracker<OffsetRange, Long> tracker) {
      tracker.tryClaim(0L);
    }

    @GetInitialRestriction
    public OffsetRange range(@Element String element) {
      return new OffsetRange(0, element.length());
    }
  }

  @Test
  void aRestrictionWithoutEndIsRefused() {
    assertThatThrownBy(
            () ->
                run(
                    Urns.SPLIT_RESTRICTIONS,
                    new Endless(),
                    WindowedValues.valueInGlobalWindow("a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Step 'Letters' would never end")
        .hasMessageContaining("for the element a");
  }

  static final class Endless extends DoFn<String, String> {
    @ProcessElement
    public ProcessContinuation process(RestrictionTracker<OffsetRange, Long> tracker) {
      return ProcessContinuation.resume();
    }

    @GetInitialRestriction
    public OffsetRange range() {
      return new OffsetRange(0, Long.MAX_VALUE);
    }

    @NewTracker
    public GrowableOffsetRangeTracker newTracker(@Restriction OffsetRange range) {
      return new GrowableOffsetRangeTracker(range.getFrom(), () -> 0);
    }
  }

  /** The letters of a word, a few at a time. */
  @SuppressWarnings("unused") // Beam finds the methods by their annotations
  @DoFn.BoundedPerElement
  static final class Letters extends DoFn<String, String> {
    private final int atATime;
    private final boolean finalizing;

    Letters(int atATime) {
      this(atATime, false);
    }

    Letters(int atATime, boolean finalizing) {
      this.atATime = atATime;
      this.finalizing = finalizing;
    }

    @Setup
    public void setup() {
      EVENTS.add("setup");
    }

    @StartBundle
    public void start() {
      EVENTS.add("start");
    }

    @ProcessElement
    public ProcessContinuation process(
        @Element String word,
        RestrictionTracker<OffsetRange, Long> tracker,
        ManualWatermarkEstimator<Instant> estimator,
        BundleFinalizer finalizer,
        OutputReceiver<String> out) {
      long from = tracker.currentRestriction().getFrom();
      EVENTS.add("from " + from + " at " + estimator.currentWatermark().getMillis());
      if (finalizing) {
        finalizer.afterBundleCommit(
            Instant.now().plus(Duration.standardMinutes(1)), () -> EVENTS.add("final"));
      }
      for (long i = from; i < from + atATime; i++) {
        if (!tracker.tryClaim(i)) {
          return ProcessContinuation.stop();
        }
        estimator.setWatermark(Instant.ofEpochMilli(i));
        out.output(word.substring((int) i, (int) i + 1));
      }
      return ProcessContinuation.resume();
    }

    @GetInitialRestriction
    public OffsetRange range(@Element String word) {
      return new OffsetRange(0, word.length());
    }

    @SplitRestriction
    public void split(@Restriction OffsetRange range, OutputReceiver<OffsetRange> out) {
      range.split(1, 1).forEach(out::output);
    }

    @TruncateRestriction
    public TruncateResult<OffsetRange> truncate(@Restriction OffsetRange range) {
      EVENTS.add("truncated");
      return null;
    }

    @GetInitialWatermarkEstimatorState
    public Instant initialState() {
      return BoundedWindow.TIMESTAMP_MIN_VALUE;
    }

    @NewWatermarkEstimator
    public WatermarkEstimators.Manual newEstimator(@WatermarkEstimatorState Instant state) {
      return new WatermarkEstimators.Manual(state);
    }

    @FinishBundle
    public void finish() {
      EVENTS.add("finish");
    }

    @Teardown
    public void teardown() {
      EVENTS.add("teardown");
    }
  }

  private static List<WindowedValue<Object>> process(
      DoFn<String, String> doFn, String element, OffsetRange restriction) throws Exception {
    return run(
        Urns.PROCESS_RESTRICTIONS,
        doFn,
        WindowedValues.valueInGlobalWindow(KV.of(element, restriction)));
  }

  private static List<WindowedValue<Object>> run(
      String urn, DoFn<String, String> doFn, WindowedValue<?> element) throws Exception {
    return new InMemoryTask(BeamSpecs.toFunctionSpec(urn, spec(doFn))).run(List.of(element));
  }

  private static ParDoSpec spec(DoFn<String, String> doFn) {
    TupleTag<String> main = new TupleTag<>("main-tag");
    return new ParDoSpec(
        "Letters",
        doFn,
        new ParDoSpec.Outputs(main, List.of(), Map.of(main, StringUtf8Coder.of())),
        StringUtf8Coder.of(),
        WindowingStrategy.globalDefault(),
        List.of(),
        Map.of(),
        DoFnSchemaInformation.create());
  }
}
