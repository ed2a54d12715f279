// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.harness.InMemoryShuffle;
import dev.anemone.beam.harness.InMemoryTask;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.beam.spec.ParDoSpec;
import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.runtime.spi.KeyGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.Timer;
import org.apache.beam.sdk.state.TimerMap;
import org.apache.beam.sdk.state.TimerSpec;
import org.apache.beam.sdk.state.TimerSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.DoFnSchemaInformation;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
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

class StatefulParDoOperatorTest {

  private static final TupleTag<String> MAIN = new TupleTag<>("main-tag");
  private static final TupleTag<String> EXTRA = new TupleTag<>("extra");
  private static final Duration TEN = Duration.millis(10);
  private static final WindowingStrategy<?, ?> FIXED = WindowingStrategy.of(FixedWindows.of(TEN));

  /** What happened to the functions under test; they are copied, so it cannot be a field. */
  private static final List<String> EVENTS = new CopyOnWriteArrayList<>();

  @BeforeEach
  void forgetEvents() {
    EVENTS.clear();
  }

  @Test
  void everyKeyAndWindowHasAStateOfItsOwn() throws Exception {
    assertThat(run(new Counting(), FIXED, List.of(at("a", 1), at("a", 11), at("b", 2), at("a", 3))))
        .containsExactlyInAnyOrder("a 1", "a 2", "a 1", "b 1");
  }

  static final class Counting extends DoFn<KV<String, Integer>, String> {
    @StateId("count")
    private final StateSpec<ValueState<Integer>> count = StateSpecs.value(VarIntCoder.of());

    @ProcessElement
    public void process(
        @Element KV<String, Integer> element,
        @StateId("count") ValueState<Integer> state,
        OutputReceiver<String> out) {
      Integer before = state.read();
      int now = before == null ? 1 : before + 1;
      state.write(now);
      out.output(element.getKey() + " " + now);
    }
  }

  @Test
  void anElementOfSeveralWindowsCountsInEach() throws Exception {
    WindowedValue<KV<String, Integer>> twice =
        WindowedValues.of(
            KV.of("a", 1), millis(5), List.of(window(0), window(10)), PaneInfo.NO_FIRING);

    assertThat(run(new Counting(), FIXED, List.of(twice, at("a", 12))))
        .containsOnlyOnce("a 2")
        .hasSize(3);
  }

  @Test
  void timersOfAKeyFireInOrderOverItsWindowsAndWindowsExpireAfterThem() throws Exception {
    assertThat(run(new Alarm(), FIXED, List.of(at("a", 13), at("a", 4), at("a", 2), at("b", 5))))
        .containsExactly(
            "timer 7 in 9",
            "expired 9 with 2",
            "timer 16 in 19",
            "expired 19 with 1",
            "timer 8 in 9",
            "expired 9 with 1");
  }

  /** Wakes up three milliseconds after the last element, and counts until the window expires. */
  static final class Alarm extends DoFn<KV<String, Integer>, String> {
    @StateId("count")
    private final StateSpec<ValueState<Integer>> count = StateSpecs.value(VarIntCoder.of());

    @StateId("latest")
    private final StateSpec<ValueState<Long>> latest = StateSpecs.value();

    @TimerId("alarm")
    private final TimerSpec alarm = TimerSpecs.timer(TimeDomain.EVENT_TIME);

    @ProcessElement
    public void process(
        @Timestamp Instant timestamp,
        BoundedWindow window,
        @StateId("count") ValueState<Integer> state,
        @StateId("latest") ValueState<Long> last,
        @TimerId("alarm") Timer timer) {
      Integer before = state.read();
      state.write(before == null ? 1 : before + 1);
      Long earlier = last.read();
      long now = Math.max(earlier == null ? Long.MIN_VALUE : earlier, timestamp.getMillis());
      last.write(now);
      timer.set(millis(Math.min(now + 3, window.maxTimestamp().getMillis())));
    }

    @OnTimer("alarm")
    public void onAlarm(OnTimerContext context, BoundedWindow window, OutputReceiver<String> out) {
      out.output(
          "timer "
              + context.fireTimestamp().getMillis()
              + " in "
              + window.maxTimestamp().getMillis());
    }

    @OnWindowExpiration
    public void onExpiration(
        BoundedWindow window,
        @StateId("count") ValueState<Integer> state,
        OutputReceiver<String> out) {
      out.output("expired " + window.maxTimestamp().getMillis() + " with " + state.read());
    }
  }

  @Test
  void timersCanBeSetAgainClearedAndSetByTimers() throws Exception {
    WindowedValue<KV<String, Integer>> start =
        WindowedValues.timestampedValueInGlobalWindow(KV.of("a", 0), millis(0));

    assertThat(run(new Chain(), WindowingStrategy.globalDefault(), List.of(start)))
        .containsExactly("later", "first 20 at 15", "second 20 at 20", "third 23");
  }

  @SuppressWarnings("unused") // Beam finds the field by its annotation
  static final class Chain extends DoFn<KV<String, Integer>, String> {
    @TimerFamily("family")
    private final TimerSpec family = TimerSpecs.timerMap(TimeDomain.EVENT_TIME);

    @TimerId("third")
    private final TimerSpec third = TimerSpecs.timer(TimeDomain.EVENT_TIME);

    @TimerId("later")
    private final TimerSpec later = TimerSpecs.timer(TimeDomain.PROCESSING_TIME);

    @ProcessElement
    public void process(
        @TimerFamily("family") TimerMap timers, @TimerId("later") Timer processing) {
      timers.get("cleared").set(Instant.ofEpochMilli(5));
      timers.get("first").withOutputTimestamp(Instant.ofEpochMilli(3)).set(millis(20));
      // The same time of firing, but another time for what it outputs.
      timers.get("first").withOutputTimestamp(Instant.ofEpochMilli(15)).set(millis(20));
      timers.get("cleared").clear();
      processing.offset(Duration.standardDays(1)).setRelative();
    }

    @OnTimerFamily("family")
    public void onFamily(
        OnTimerContext context,
        @TimerId String id,
        @TimerFamily("family") TimerMap timers,
        @TimerId("third") Timer next,
        OutputReceiver<String> out) {
      out.output(
          id
              + " "
              + context.fireTimestamp().getMillis()
              + " at "
              + context.timestamp().getMillis());
      if (id.equals("first")) {
        timers.get("second").set(millis(20));
      } else {
        next.offset(Duration.millis(3)).setRelative();
      }
    }

    @OnTimer("third")
    public void onThird(OnTimerContext context, OutputReceiver<String> out) {
      out.output("third " + context.fireTimestamp().getMillis());
    }

    @OnTimer("later")
    public void onLater(OutputReceiver<String> out) {
      out.output("later");
    }
  }

  @Test
  void aTimerThatWaitsForProcessingTimeAgainAndAgainEnds() throws Exception {
    WindowedValue<KV<String, Integer>> start =
        WindowedValues.timestampedValueInGlobalWindow(KV.of("a", 0), millis(0));

    assertThat(run(new HeartBeat(), WindowingStrategy.globalDefault(), List.of(start)))
        .containsExactly("beat", "moved", "event 10", "beat", "event 20", "beat");
  }

  /** Beats every second, and is started again by two timers of event time. */
  @SuppressWarnings("unused") // Beam finds the fields by their annotations
  static final class HeartBeat extends DoFn<KV<String, Integer>, String> {
    @TimerId("beat")
    private final TimerSpec beat = TimerSpecs.timer(TimeDomain.PROCESSING_TIME);

    @TimerId("moved")
    private final TimerSpec moved = TimerSpecs.timer(TimeDomain.PROCESSING_TIME);

    @TimerFamily("events")
    private final TimerSpec events = TimerSpecs.timerMap(TimeDomain.EVENT_TIME);

    @ProcessElement
    public void process(
        @TimerId("beat") Timer beating,
        @TimerId("moved") Timer waiting,
        @TimerFamily("events") TimerMap timers) {
      beating.offset(Duration.standardSeconds(1)).setRelative();
      waiting.offset(Duration.standardSeconds(2)).setRelative();
      timers.get("first").set(millis(10));
      timers.get("second").set(millis(20));
    }

    @OnTimer("beat")
    public void onBeat(
        @TimerId("beat") Timer beating,
        @TimerId("moved") Timer waiting,
        OutputReceiver<String> out) {
      out.output("beat");
      beating.offset(Duration.standardSeconds(1)).setRelative();
      waiting.offset(Duration.standardDays(1)).setRelative();
    }

    @OnTimer("moved")
    public void onMoved(OutputReceiver<String> out) {
      out.output("moved");
    }

    @OnTimerFamily("events")
    public void onEvent(
        OnTimerContext context, @TimerId("beat") Timer beating, OutputReceiver<String> out) {
      out.output("event " + context.fireTimestamp().getMillis());
      beating.offset(Duration.standardSeconds(1)).setRelative();
    }
  }

  @Test
  void timersOfTheTwoTimesThatSetEachOtherEnd() throws Exception {
    WindowedValue<KV<String, Integer>> start =
        WindowedValues.timestampedValueInGlobalWindow(KV.of("a", 0), millis(0));

    assertThat(run(new PingPong(), WindowingStrategy.globalDefault(), List.of(start)))
        .containsExactly("event", "processing", "event");
  }

  /** Each of two timers sets the other; no time has to pass for that of event time. */
  static final class PingPong extends DoFn<KV<String, Integer>, String> {
    @TimerId("event")
    private final TimerSpec event = TimerSpecs.timer(TimeDomain.EVENT_TIME);

    @TimerId("processing")
    private final TimerSpec processing = TimerSpecs.timer(TimeDomain.PROCESSING_TIME);

    @ProcessElement
    public void process(@TimerId("event") Timer timer) {
      timer.set(millis(10));
    }

    @OnTimer("event")
    public void onEvent(@TimerId("processing") Timer timer, OutputReceiver<String> out) {
      out.output("event");
      timer.offset(Duration.standardSeconds(1)).setRelative();
    }

    @OnTimer("processing")
    public void onProcessing(@TimerId("event") Timer timer, OutputReceiver<String> out) {
      out.output("processing");
      timer.set(millis(10));
    }
  }

  @Test
  void anEventTimeTimerThatSetsItselfAgainFiresUntilItsWindowEnds() throws Exception {
    assertThat(run(new Tick(), FIXED, List.of(at("a", 4))))
        .containsExactly("tick 4", "tick 6", "tick 8");
  }

  /** Fires every two milliseconds while its window lasts. */
  static final class Tick extends DoFn<KV<String, Integer>, String> {
    @TimerId("tick")
    private final TimerSpec tick = TimerSpecs.timer(TimeDomain.EVENT_TIME);

    @ProcessElement
    public void process(@Timestamp Instant timestamp, @TimerId("tick") Timer timer) {
      timer.set(timestamp);
    }

    @OnTimer("tick")
    public void onTick(
        OnTimerContext context,
        BoundedWindow window,
        @TimerId("tick") Timer timer,
        OutputReceiver<String> out) {
      out.output("tick " + context.fireTimestamp().getMillis());
      Instant next = context.fireTimestamp().plus(Duration.millis(2));
      if (!next.isAfter(window.maxTimestamp())) {
        timer.set(next);
      }
    }
  }

  private static Instant millis(long millis) {
    return Instant.ofEpochMilli(millis);
  }

  @Test
  void inputIsSortedByTimeWhereItIsRequired() throws Exception {
    for (long memory : new long[] {64 << 20, 100}) {
      EVENTS.clear();
      List<WindowedValue<KV<String, Integer>>> elements = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        elements.add(at("a", i * 7 % 200));
      }
      run(new TimeSorted(), FIXED, memory, elements);

      assertThat(EVENTS).hasSize(200);
      assertThat(EVENTS.stream().map(Integer::valueOf)).isSorted();
    }
  }

  static final class TimeSorted extends DoFn<KV<String, Integer>, String> {
    @RequiresTimeSortedInput
    @ProcessElement
    public void process(@Timestamp Instant timestamp) {
      EVENTS.add(Long.toString(timestamp.getMillis()));
    }
  }

  @Test
  void everyOutputGoesToItsReceiverAndBundlesHaveOutputsToo() throws Exception {
    InMemoryTask task = task(new Everything(""), FIXED, 64 << 20);
    List<WindowedValue<Object>> main = task.runGroups(groups(FIXED, List.of(at("a", 1))));

    assertThat(main).extracting(WindowedValue::getValue).containsExactly("a", "end of bundle");
    assertThat(task.output("extra", 0)).extracting(WindowedValue::getValue).containsExactly("A");
    assertThat(EVENTS).containsExactly("setup", "start", "process", "timer", "finish", "teardown");
    task.commit();
    assertThat(EVENTS).last().isEqualTo("final");
  }

  @Test
  void teardownIsCalledWhateverFails() {
    for (String failing : List.of("setup", "start", "process", "timer", "finish")) {
      EVENTS.clear();

      assertThatThrownBy(() -> run(new Everything(failing), FIXED, List.of(at("a", 1))))
          .isInstanceOf(IOException.class)
          .hasMessage("failure in " + failing);
      assertThat(EVENTS).endsWith("teardown").containsOnlyOnce("teardown");
    }
  }

  @SuppressWarnings("unused") // Beam finds the methods by their annotations
  static final class Everything extends DoFn<KV<String, Integer>, String> {
    @TimerId("timer")
    private final TimerSpec timer = TimerSpecs.timer(TimeDomain.EVENT_TIME);

    private final String failing;

    Everything(String failing) {
      this.failing = failing;
    }

    private void step(String name) throws IOException {
      EVENTS.add(name);
      if (name.equals(failing)) {
        throw new IOException("failure in " + name);
      }
    }

    @Setup
    public void setup() throws IOException {
      step("setup");
    }

    @StartBundle
    public void start() throws IOException {
      step("start");
    }

    @ProcessElement
    public void process(
        @Element KV<String, Integer> element,
        @TimerId("timer") Timer timer,
        BundleFinalizer finalizer,
        MultiOutputReceiver out)
        throws IOException {
      step("process");
      out.get(MAIN).output(element.getKey());
      timer.set(millis(5));
      finalizer.afterBundleCommit(Instant.now().plus(TEN), () -> EVENTS.add("final"));
    }

    @OnTimer("timer")
    public void onTimer(@Key String key, MultiOutputReceiver out) throws IOException {
      step("timer");
      out.get(EXTRA).output(key.toUpperCase(Locale.ROOT));
    }

    @FinishBundle
    public void finish(FinishBundleContext context) throws IOException {
      step("finish");
      context.output("end of bundle", millis(0), window(0));
    }

    @Teardown
    public void teardown() throws IOException {
      step("teardown");
    }
  }

  @Test
  void manyElementsAndWindowsOfOneKeyTakeTimeInProportion() throws Exception {
    List<WindowedValue<KV<String, Integer>>> elements = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      elements.add(at("a", i * 7919 % 100_000));
    }

    List<String> outputs = run(new Alarm(), FIXED, elements);

    assertThat(outputs).hasSize(2 * 10_000);
    assertThat(outputs.get(outputs.size() - 1)).isEqualTo("expired 99999 with 10");
  }

  private static IntervalWindow window(long start) {
    return new IntervalWindow(Instant.ofEpochMilli(start), TEN);
  }

  private static WindowedValue<KV<String, Integer>> at(String key, int millis) {
    return WindowedValues.of(
        KV.of(key, millis),
        Instant.ofEpochMilli(millis),
        window(millis - millis % 10),
        PaneInfo.NO_FIRING);
  }

  private static List<String> run(
      DoFn<KV<String, Integer>, String> doFn,
      WindowingStrategy<?, ?> windowing,
      List<WindowedValue<KV<String, Integer>>> elements)
      throws Exception {
    return run(doFn, windowing, 64 << 20, elements);
  }

  private static List<String> run(
      DoFn<KV<String, Integer>, String> doFn,
      WindowingStrategy<?, ?> windowing,
      long memory,
      List<WindowedValue<KV<String, Integer>>> elements)
      throws Exception {
    return task(doFn, windowing, memory).runGroups(groups(windowing, elements)).stream()
        .map(output -> (String) output.getValue())
        .toList();
  }

  private static List<KeyGroup> groups(
      WindowingStrategy<?, ?> windowing, List<WindowedValue<KV<String, Integer>>> elements)
      throws Exception {
    return new InMemoryShuffle(
            GroupingSpec.ofWholeKeys(), StringUtf8Coder.of(), VarIntCoder.of(), windowing)
        .add(elements)
        .groups();
  }

  private static InMemoryTask task(
      DoFn<KV<String, Integer>, String> doFn, WindowingStrategy<?, ?> windowing, long memory) {
    Map<TupleTag<?>, Coder<?>> coders = new LinkedHashMap<>();
    coders.put(MAIN, StringUtf8Coder.of());
    coders.put(EXTRA, StringUtf8Coder.of());
    FunctionSpec spec =
        BeamSpecs.toFunctionSpec(
            Urns.STATEFUL_PAR_DO,
            new ParDoSpec(
                "Stateful",
                doFn,
                new ParDoSpec.Outputs(MAIN, List.of(EXTRA), coders),
                KvCoder.of(StringUtf8Coder.of(), VarIntCoder.of()),
                windowing,
                List.of(),
                Map.of(),
                DoFnSchemaInformation.create()));
    return new InMemoryTask(spec).withMemoryBudget(memory);
  }
}
