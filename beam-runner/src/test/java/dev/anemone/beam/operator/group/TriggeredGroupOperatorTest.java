// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.anemone.beam.harness.InMemoryShuffle;
import dev.anemone.beam.harness.InMemoryTask;
import dev.anemone.beam.harness.Steps;
import dev.anemone.ir.IREdge;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.beam.sdk.coders.CustomCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.transforms.windowing.AfterPane;
import org.apache.beam.sdk.transforms.windowing.AfterWatermark;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.Never;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.PaneInfo.Timing;
import org.apache.beam.sdk.transforms.windowing.Repeatedly;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.Trigger;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.apache.beam.sdk.values.WindowingStrategy.AccumulationMode;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

class TriggeredGroupOperatorTest {

  private static final Duration MINUTE = Duration.standardMinutes(1);
  private static final Trigger EVERY = Repeatedly.forever(AfterPane.elementCountAtLeast(1));

  private static final Trigger EARLY_AND_ON_TIME =
      AfterWatermark.pastEndOfWindow().withEarlyFirings(AfterPane.elementCountAtLeast(1));

  /** What the functions under test did; they are copied, so it cannot be a field. */
  private static final List<String> EVENTS = new CopyOnWriteArrayList<>();

  @Test
  void allValuesComeOutBeforeTimeEnds() throws Exception {
    List<WindowedValue<Object>> panes =
        Steps.runGroupByKey(
            StringUtf8Coder.of(),
            VarIntCoder.of(),
            windowing(FixedWindows.of(MINUTE), EVERY),
            List.of(fixed(0, 1), fixed(1, 2), fixed(60_000, 3)));

    assertThat(values(panes)).containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void valuesUnderATriggerThatNeverFiresComeOutWhenTheWindowExpires() throws Exception {
    List<WindowedValue<Object>> panes =
        Steps.runGroupByKey(
            StringUtf8Coder.of(),
            VarIntCoder.of(),
            windowing(FixedWindows.of(MINUTE), Never.ever()),
            List.of(fixed(0, 1), fixed(1, 2)));

    assertThat(values(panes)).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void sessionsMergeUnderATrigger() throws Exception {
    List<WindowedValue<Object>> panes =
        Steps.runGroupByKey(
            StringUtf8Coder.of(),
            VarIntCoder.of(),
            windowing(Sessions.withGapDuration(MINUTE), EVERY),
            List.of(session(0, 1), session(30_000, 2)));

    assertThat(panes)
        .allMatch(
            pane ->
                pane.getWindows()
                    .contains(
                        new IntervalWindow(Instant.ofEpochMilli(0), Instant.ofEpochMilli(90_000))));
    assertThat(values(panes)).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void combineSumsWhatEachPaneHolds() throws Exception {
    List<WindowedValue<Object>> panes =
        Steps.runWhole(
            Steps.combine(
                Sum.ofLongs(),
                StringUtf8Coder.of(),
                VarLongCoder.of(),
                VarLongCoder.of(),
                VarLongCoder.of(),
                windowing(FixedWindows.of(MINUTE), EVERY)),
            List.of(longs(fixed(0, 1)), longs(fixed(1, 2)), longs(fixed(2, 3))));

    assertThat(panes.stream().mapToLong(pane -> (Long) ((KV<?, ?>) pane.getValue()).getValue()))
        .satisfies(sums -> assertThat(sums.stream().mapToLong(Long::longValue).sum()).isEqualTo(6));
  }

  @Test
  void theLastPaneOfAWindowSaysSoAndNoOtherDoes() throws Exception {
    List<WindowedValue<Object>> panes =
        Steps.runGroupByKey(
            StringUtf8Coder.of(),
            VarIntCoder.of(),
            WindowingStrategy.of(FixedWindows.of(MINUTE))
                .withTrigger(EARLY_AND_ON_TIME)
                .withMode(AccumulationMode.ACCUMULATING_FIRED_PANES),
            List.of(fixed(0, 1), fixed(1, 2), fixed(60_000, 3)));

    assertThat(panes)
        .extracting(WindowedValue::getTimestamp, WindowedValue::getPaneInfo)
        .containsExactlyInAnyOrder(
            tuple(endOfMinute(0), PaneInfo.createPane(true, false, Timing.EARLY, 0, -1)),
            tuple(endOfMinute(0), PaneInfo.createPane(false, true, Timing.ON_TIME, 1, 0)),
            tuple(endOfMinute(1), PaneInfo.createPane(true, false, Timing.EARLY, 0, -1)),
            tuple(endOfMinute(1), PaneInfo.createPane(false, true, Timing.ON_TIME, 1, 0)));
    assertThat(values(panes)).containsExactly(1, 2, 1, 2, 3, 3);
  }

  @Test
  void discardedValuesAreInTheFirstPaneOnly() throws Exception {
    List<WindowedValue<Object>> panes =
        Steps.runGroupByKey(
            StringUtf8Coder.of(),
            VarIntCoder.of(),
            windowing(FixedWindows.of(MINUTE), EARLY_AND_ON_TIME),
            List.of(fixed(0, 1), fixed(60_000, 2), fixed(1, 3)));

    assertThat(panes)
        .extracting(WindowedValue::getTimestamp, pane -> values(List.of(pane)))
        .containsExactly(
            tuple(endOfMinute(0), List.of(1, 3)),
            tuple(endOfMinute(0), List.of()),
            tuple(endOfMinute(1), List.of(2)),
            tuple(endOfMinute(1), List.of()));
  }

  @Test
  void valuesOfAKeyThatDoesNotFitIntoMemoryAreDecodedWhileTheyAreRead() throws Exception {
    WindowingStrategy<?, ?> sessions = windowing(Sessions.withGapDuration(MINUTE), EVERY);
    List<Iterable<?>> later = new ArrayList<>();
    List<Object> read = new ArrayList<>();
    InMemoryTask task =
        new InMemoryTask(Steps.groupByKey(StringUtf8Coder.of(), VarIntCoder.of(), sessions))
            .withMemoryBudget(0)
            .withReceiver(
                IREdge.MAIN,
                element -> {
                  Object pair = ((WindowedValue<?>) element).getValue();
                  Iterable<?> values = (Iterable<?>) ((KV<?, ?>) pair).getValue();
                  values.forEach(read::add);
                  later.add(values);
                });

    task.runGroups(
        new InMemoryShuffle(StringUtf8Coder.of(), VarIntCoder.of(), sessions)
            .add(List.of(session(0, 1), session(500_000, 3), session(30_000, 2)))
            .groups());

    assertThat(read).containsExactly(1, 2, 3);
    // Each window fires again at its end, then without values.
    assertThat(later.size()).isEqualTo(4);
    for (Iterable<?> values : List.of(later.get(0), later.get(2))) {
      assertThatThrownBy(() -> values.iterator().hasNext())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("only while the group is being processed");
    }
  }

  @Test
  void whatIsCombinedIsDecodedOneByOne() throws Exception {
    EVENTS.clear();
    Steps.runWhole(
        Steps.combine(
            new NotingSum(),
            StringUtf8Coder.of(),
            new NotingCoder(),
            VarLongCoder.of(),
            VarLongCoder.of(),
            windowing(FixedWindows.of(MINUTE), EVERY)),
        List.of(longs(fixed(0, 1)), longs(fixed(1, 2)), longs(fixed(2, 3))));

    assertThat(EVENTS).endsWith("decode 1", "add 1", "decode 2", "add 2", "decode 3", "add 3");
  }

  private static final class NotingCoder extends CustomCoder<Long> {
    @Override
    public void encode(Long value, OutputStream out) throws IOException {
      VarLongCoder.of().encode(value, out);
    }

    @Override
    public Long decode(InputStream in) throws IOException {
      Long value = VarLongCoder.of().decode(in);
      EVENTS.add("decode " + value);
      return value;
    }
  }

  private static final class NotingSum extends Combine.CombineFn<Long, Long, Long> {
    @Override
    public Long createAccumulator() {
      return 0L;
    }

    @Override
    public Long addInput(Long sum, Long input) {
      EVENTS.add("add " + input);
      return sum + input;
    }

    @Override
    public Long mergeAccumulators(Iterable<Long> sums) {
      long total = 0;
      for (long sum : sums) {
        total += sum;
      }
      return total;
    }

    @Override
    public Long extractOutput(Long sum) {
      return sum;
    }
  }

  private static Instant endOfMinute(int minute) {
    return Instant.ofEpochMilli(60_000L * (minute + 1) - 1);
  }

  private static WindowingStrategy<?, ?> windowing(WindowFn<Object, ?> windowFn, Trigger trigger) {
    return WindowingStrategy.of(windowFn)
        .withTrigger(trigger)
        .withMode(AccumulationMode.DISCARDING_FIRED_PANES);
  }

  private static WindowedValue<KV<String, Integer>> fixed(long millis, int value) {
    return in(
        new IntervalWindow(Instant.ofEpochMilli(millis / 60_000 * 60_000), MINUTE), millis, value);
  }

  private static WindowedValue<KV<String, Integer>> session(long millis, int value) {
    return in(new IntervalWindow(Instant.ofEpochMilli(millis), MINUTE), millis, value);
  }

  private static WindowedValue<KV<String, Integer>> in(
      IntervalWindow window, long millis, int value) {
    return WindowedValues.of(
        KV.of("a", value), Instant.ofEpochMilli(millis), window, PaneInfo.NO_FIRING);
  }

  private static WindowedValue<KV<String, Long>> longs(WindowedValue<KV<String, Integer>> element) {
    return element.withValue(KV.of("a", (long) element.getValue().getValue()));
  }

  private static List<Object> values(List<WindowedValue<Object>> panes) {
    List<Object> values = new ArrayList<>();
    for (WindowedValue<Object> pane : panes) {
      ((Iterable<?>) ((KV<?, ?>) pane.getValue()).getValue()).forEach(values::add);
    }
    return values;
  }
}
