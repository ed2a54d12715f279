// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.harness.InMemoryShuffle;
import dev.anemone.beam.harness.InMemoryTask;
import dev.anemone.beam.harness.Steps;
import dev.anemone.beam.operator.step.Windows;
import dev.anemone.ir.IREdge;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

class MergingGroupByKeyOperatorTest {

  private static final Duration GAP = Duration.millis(10);
  private static final WindowingStrategy<Object, IntervalWindow> SESSIONS =
      WindowingStrategy.of(Sessions.withGapDuration(GAP));

  @Test
  void sessionsThatOverlapBecomeOne() throws Exception {
    List<WindowedValue<Object>> groups =
        Steps.runGroupByKey(
            StringUtf8Coder.of(),
            VarIntCoder.of(),
            SESSIONS,
            List.of(at(0, "a", 1), at(100, "a", 2), at(5, "a", 3), at(12, "a", 4), at(5, "b", 5)));

    assertThat(groups)
        .containsExactlyInAnyOrder(
            group("a", 0, 22, List.of(1, 3, 4)),
            group("a", 100, 110, List.of(2)),
            group("b", 5, 15, List.of(5)));
  }

  @Test
  void timestampIsThatOfTheElementsInTheSession() throws Exception {
    List<WindowedValue<Object>> groups =
        Steps.runGroupByKey(
            StringUtf8Coder.of(),
            VarIntCoder.of(),
            SESSIONS.withTimestampCombiner(TimestampCombiner.LATEST),
            List.of(at(0, "a", 1), at(5, "a", 2), at(100, "a", 3)));

    assertThat(groups)
        .extracting(WindowedValue::getTimestamp)
        .containsExactly(Instant.ofEpochMilli(5), Instant.ofEpochMilli(100));
  }

  @Test
  void sessionsLargerThanMemoryGiveTheSameGroups() throws Exception {
    List<WindowedValue<?>> elements = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      // Sessions of ten elements, and one of a hundred.
      long session = i < 100 ? 0 : i / 10;
      elements.add(at(session * 1_000 + i % 10, "a", i));
    }
    InMemoryShuffle shuffle =
        new InMemoryShuffle(StringUtf8Coder.of(), VarIntCoder.of(), SESSIONS).add(elements);

    Map<BoundedWindow, List<Object>> roomy = run(shuffle, 64 << 20);
    // Room for the bytes of about 20 values: some sessions at a time, the large one never.
    Map<BoundedWindow, List<Object>> tight = run(shuffle, 16 * 200);

    assertThat(roomy).hasSize(41);
    assertThat(tight).isEqualTo(roomy);
  }

  /** Runs the groups and copies them while they are being processed. */
  private static Map<BoundedWindow, List<Object>> run(InMemoryShuffle shuffle, long memory)
      throws Exception {
    Map<BoundedWindow, List<Object>> groups = new LinkedHashMap<>();
    new InMemoryTask(Steps.groupByKey(StringUtf8Coder.of(), VarIntCoder.of(), SESSIONS))
        .withMemoryBudget(memory)
        .withReceiver(
            IREdge.MAIN,
            element -> {
              WindowedValue<?> group = (WindowedValue<?>) element;
              List<Object> values = new ArrayList<>();
              ((Iterable<?>) ((KV<?, ?>) group.getValue()).getValue()).forEach(values::add);
              assertThat(groups.put(Windows.single(group), values)).isNull();
            })
        .runGroups(shuffle.groups());
    return groups;
  }

  private static WindowedValue<Object> group(String key, long start, long end, Object values) {
    IntervalWindow window = window(start, end);
    return WindowedValues.of(
        KV.of(key, values), window.maxTimestamp(), window, PaneInfo.ON_TIME_AND_ONLY_FIRING);
  }

  private static WindowedValue<KV<String, Integer>> at(long millis, String key, int value) {
    Instant timestamp = Instant.ofEpochMilli(millis);
    return WindowedValues.of(
        KV.of(key, value), timestamp, window(millis, millis + 10), PaneInfo.NO_FIRING);
  }

  private static IntervalWindow window(long start, long end) {
    return new IntervalWindow(Instant.ofEpochMilli(start), Instant.ofEpochMilli(end));
  }
}
