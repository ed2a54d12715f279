// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.harness.InMemoryShuffle;
import dev.anemone.beam.harness.InMemoryTask;
import dev.anemone.beam.harness.Steps;
import dev.anemone.ir.IREdge;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

class GroupByKeyOperatorTest {

  private static final int LARGE = 5_000;

  @Test
  void valuesOfAKeyComeTogether() throws Exception {
    List<WindowedValue<Object>> groups =
        Steps.runGroupByKey(
            StringUtf8Coder.of(),
            VarIntCoder.of(),
            WindowingStrategy.globalDefault(),
            List.of(global("a", 1), global("b", 2), global("a", 3)));

    assertThat(groups)
        .containsExactly(
            grouped(KV.of("a", List.of(1, 3)), GlobalWindow.INSTANCE.maxTimestamp()),
            grouped(KV.of("b", List.of(2)), GlobalWindow.INSTANCE.maxTimestamp()));
  }

  private static WindowedValue<Object> grouped(Object value, Instant timestamp) {
    return WindowedValues.of(
        value, timestamp, GlobalWindow.INSTANCE, PaneInfo.ON_TIME_AND_ONLY_FIRING);
  }

  @Test
  void arraysWithTheSameBytesAreOneKey() throws Exception {
    List<WindowedValue<Object>> groups =
        Steps.runGroupByKey(
            ByteArrayCoder.of(),
            VarIntCoder.of(),
            WindowingStrategy.globalDefault(),
            List.of(global(new byte[] {1}, 1), global(new byte[] {1}, 2)));

    assertThat(groups).hasSize(1);
    assertThat(values(groups.get(0))).containsExactly(1, 2);
  }

  @Test
  void enumsAreKeys() throws Exception {
    List<WindowedValue<Object>> groups =
        Steps.runGroupByKey(
            SerializableCoder.of(Colour.class),
            VarIntCoder.of(),
            WindowingStrategy.globalDefault(),
            List.of(global(Colour.RED, 1), global(Colour.BLUE, 2), global(Colour.RED, 3)));

    assertThat(groups)
        .extracting(GroupByKeyOperatorTest::key)
        .containsExactlyInAnyOrder(Colour.RED, Colour.BLUE);
  }

  private enum Colour {
    RED,
    BLUE
  }

  @Test
  void windowsOfAKeyAreSeparateGroups() throws Exception {
    Duration minute = Duration.standardMinutes(1);
    IntervalWindow first = new IntervalWindow(Instant.ofEpochMilli(0), minute);
    IntervalWindow second = new IntervalWindow(Instant.ofEpochMilli(60_000), minute);

    List<WindowedValue<Object>> groups =
        Steps.runGroupByKey(
            StringUtf8Coder.of(),
            VarIntCoder.of(),
            WindowingStrategy.of(FixedWindows.of(minute)),
            List.of(
                WindowedValues.of(KV.of("a", 1), first.start(), first, PaneInfo.NO_FIRING),
                WindowedValues.of(
                    KV.of("a", 2), first.start(), List.of(first, second), PaneInfo.NO_FIRING)));

    assertThat(groups)
        .containsExactlyInAnyOrder(
            WindowedValues.of(
                KV.of("a", List.of(1, 2)),
                first.maxTimestamp(),
                first,
                PaneInfo.ON_TIME_AND_ONLY_FIRING),
            WindowedValues.of(
                KV.of("a", List.of(2)),
                second.maxTimestamp(),
                second,
                PaneInfo.ON_TIME_AND_ONLY_FIRING));
  }

  @Test
  void timestampCombinerChoosesTheTimestamp() throws Exception {
    assertThat(timestamp(TimestampCombiner.EARLIEST, 3)).isEqualTo(Instant.ofEpochMilli(0));
    assertThat(timestamp(TimestampCombiner.LATEST, 3)).isEqualTo(Instant.ofEpochMilli(2));
    assertThat(timestamp(TimestampCombiner.EARLIEST, LARGE)).isEqualTo(Instant.ofEpochMilli(0));
    assertThat(timestamp(TimestampCombiner.LATEST, LARGE))
        .isEqualTo(Instant.ofEpochMilli(LARGE - 1));
  }

  private static Instant timestamp(TimestampCombiner combiner, int count) throws Exception {
    List<WindowedValue<KV<String, Integer>>> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      elements.add(
          WindowedValues.timestampedValueInGlobalWindow(
              KV.of("a", i), Instant.ofEpochMilli((i + 1) % count)));
    }
    WindowingStrategy<?, ?> windowing =
        WindowingStrategy.of(new GlobalWindows()).withTimestampCombiner(combiner);
    List<Instant> timestamps = new ArrayList<>();
    new InMemoryTask(Steps.groupByKey(StringUtf8Coder.of(), VarIntCoder.of(), windowing))
        .withReceiver(
            IREdge.MAIN,
            element -> {
              WindowedValue<?> group = (WindowedValue<?>) element;
              timestamps.add(group.getTimestamp());
              assertThat(sum(values(group))).isEqualTo(IntStream.range(0, count).sum());
            })
        .runGroups(
            new InMemoryShuffle(StringUtf8Coder.of(), VarIntCoder.of(), windowing)
                .add(elements)
                .groups());
    assertThat(timestamps).hasSize(1);
    return timestamps.get(0);
  }

  @Test
  void valuesCanBeIteratedAgainAndAtTheSameTime() throws Exception {
    for (int count : List.of(10, LARGE)) {
      List<Integer> sums = new ArrayList<>();
      runLarge(
          count,
          group -> {
            int sum = 0;
            Iterator<?> outer = values(group).iterator();
            for (Object inner : values(group)) {
              sum += (Integer) inner - (Integer) outer.next();
            }
            sums.add(sum);
            sums.add(IntStream.range(0, count).sum());
            sums.add(sum(values(group)));
            sums.add(sum(values(group)));
          });
      assertThat(sums.get(0)).isZero();
      assertThat(sums.subList(1, 4)).containsOnly(sums.get(1));
    }
  }

  private static int sum(Iterable<?> values) {
    int sum = 0;
    for (Object value : values) {
      sum += (Integer) value;
    }
    return sum;
  }

  @Test
  void smallGroupOutlivesItsCall() throws Exception {
    List<WindowedValue<?>> kept = new ArrayList<>();
    runLarge(10, kept::add);

    assertThat(values(kept.get(0))).hasSize(10);
  }

  @Test
  void largeGroupThatIsReadTooLateSaysSo() throws Exception {
    List<WindowedValue<?>> kept = new ArrayList<>();
    runLarge(LARGE, kept::add);

    assertThatThrownBy(() -> values(kept.get(0)).iterator().next())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Copy what is needed later");
  }

  /** Runs one group; its values are the numbers below {@code count}. */
  private static void runLarge(int count, GroupConsumer consumer) throws Exception {
    List<WindowedValue<?>> elements = new ArrayList<>();
    IntStream.range(0, count).forEach(i -> elements.add(global("a", i)));
    InMemoryShuffle shuffle =
        new InMemoryShuffle(
                StringUtf8Coder.of(), VarIntCoder.of(), WindowingStrategy.globalDefault())
            .add(elements);
    new InMemoryTask(
            Steps.groupByKey(
                StringUtf8Coder.of(), VarIntCoder.of(), WindowingStrategy.globalDefault()))
        .withReceiver(IREdge.MAIN, element -> consumer.accept((WindowedValue<?>) element))
        .runGroups(shuffle.groups());
  }

  @FunctionalInterface
  private interface GroupConsumer {
    void accept(WindowedValue<?> group);
  }

  @SuppressWarnings("unchecked") // a group by key gives iterables
  private static Iterable<Object> values(WindowedValue<?> group) {
    return (Iterable<Object>) ((KV<?, ?>) group.getValue()).getValue();
  }

  private static Object key(WindowedValue<?> group) {
    return ((KV<?, ?>) group.getValue()).getKey();
  }

  private static WindowedValue<?> global(Object key, int value) {
    return WindowedValues.valueInGlobalWindow(KV.of(key, value));
  }

  @Test
  void keyBytesOrderTheGroups() throws Exception {
    List<WindowedValue<?>> elements = new ArrayList<>();
    for (String key : Arrays.asList("c", "a", "b")) {
      elements.add(global(key, 1));
    }

    assertThat(
            Steps.runGroupByKey(
                StringUtf8Coder.of(),
                VarIntCoder.of(),
                WindowingStrategy.globalDefault(),
                elements))
        .extracting(GroupByKeyOperatorTest::key)
        .containsExactly("a", "b", "c");
  }
}
