// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.harness.InMemoryShuffle;
import dev.anemone.beam.harness.InMemoryTask;
import dev.anemone.beam.harness.Steps;
import dev.anemone.beam.sideinput.Views;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.beam.spec.CombineSpec.Phase;
import dev.anemone.beam.spec.Urns;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.transforms.CombineWithContext.CombineFnWithContext;
import org.apache.beam.sdk.transforms.CombineWithContext.Context;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

class CombineOperatorsTest {

  private static final long ROOMY = 64 << 20;
  private static final Duration MINUTE = Duration.standardMinutes(1);
  private static final IntervalWindow FIRST = new IntervalWindow(Instant.ofEpochMilli(0), MINUTE);
  private static final IntervalWindow SECOND =
      new IntervalWindow(Instant.ofEpochMilli(60_000), MINUTE);

  /** The accumulator is an Integer, which cannot be changed in place. */
  private static final class ImmutableSum extends CombineFn<Integer, Integer, Integer> {

    @Override
    public Integer createAccumulator() {
      return 0;
    }

    @Override
    public Integer addInput(Integer accumulator, Integer input) {
      return accumulator + input;
    }

    @Override
    public Integer mergeAccumulators(Iterable<Integer> accumulators) {
      int sum = 0;
      for (Integer accumulator : accumulators) {
        sum += accumulator;
      }
      return sum;
    }

    @Override
    public Integer extractOutput(Integer accumulator) {
      return accumulator;
    }
  }

  /** The accumulator is a list that is changed in place, merged or not. */
  private static final class Collect extends CombineFn<Integer, List<Integer>, List<Integer>> {

    @Override
    public List<Integer> createAccumulator() {
      return new ArrayList<>();
    }

    @Override
    public List<Integer> addInput(List<Integer> accumulator, Integer input) {
      accumulator.add(input);
      return accumulator;
    }

    @Override
    public List<Integer> mergeAccumulators(Iterable<List<Integer>> accumulators) {
      List<Integer> merged = new ArrayList<>();
      accumulators.forEach(merged::addAll);
      return merged;
    }

    @Override
    public List<Integer> compact(List<Integer> accumulator) {
      List<Integer> sorted = new ArrayList<>(accumulator);
      sorted.sort(null);
      return sorted;
    }

    @Override
    public List<Integer> extractOutput(List<Integer> accumulator) {
      return compact(accumulator);
    }
  }

  @Test
  void immutableAccumulatorsKeepEveryUpdate() throws Exception {
    List<WindowedValue<?>> elements = List.of(in("a", 1), in("a", 2), in("a", 3), in("a", 4));
    CombineSpec sum = sum(StringUtf8Coder.of(), WindowingStrategy.globalDefault());

    assertThat(Steps.runWhole(sum, elements)).containsExactly(result("a", 10));
    assertThat(Steps.runSplit(sum, ROOMY, List.of(elements))).containsExactly(result("a", 10));
    assertThat(Steps.runSplit(sum, ROOMY, List.of(elements.subList(0, 1), elements.subList(1, 4))))
        .containsExactly(result("a", 10));
  }

  private static WindowedValue<Object> result(String key, Object value) {
    return WindowedValues.of(
        KV.of(key, value),
        GlobalWindow.INSTANCE.maxTimestamp(),
        GlobalWindow.INSTANCE,
        PaneInfo.ON_TIME_AND_ONLY_FIRING);
  }

  @Test
  void partialHalfGivesOneAccumulatorForEachKey() throws Exception {
    CombineSpec sum = sum(StringUtf8Coder.of(), WindowingStrategy.globalDefault());

    assertThat(Steps.runPartial(sum, ROOMY, List.of(in("a", 1), in("b", 2), in("a", 3))))
        .extracting(WindowedValue::getValue)
        .containsExactly(KV.of("a", 4), KV.of("b", 2));
  }

  @Test
  void arraysWithTheSameBytesAreOneKey() throws Exception {
    CombineSpec sum = sum(ByteArrayCoder.of(), WindowingStrategy.globalDefault());
    List<WindowedValue<?>> elements = List.of(in(new byte[] {1}, 1), in(new byte[] {1}, 2));

    assertThat(Steps.runPartial(sum, ROOMY, elements)).hasSize(1);
    assertThat(Steps.runSplit(sum, ROOMY, List.of(elements, elements)))
        .extracting(element -> ((KV<?, ?>) element.getValue()).getValue())
        .isEqualTo(List.of(6));
  }

  @Test
  void enumsAreKeys() throws Exception {
    CombineSpec sum = sum(SerializableCoder.of(Colour.class), WindowingStrategy.globalDefault());
    List<WindowedValue<?>> elements = List.of(in(Colour.RED, 1), in(Colour.RED, 2));

    assertThat(Steps.runSplit(sum, ROOMY, List.of(elements, elements)))
        .extracting(WindowedValue::getValue)
        .isEqualTo(List.of(KV.of(Colour.RED, 6)));
  }

  private enum Colour {
    RED
  }

  @Test
  void fullTableIsEmptiedAndTheResultIsTheSame() throws Exception {
    List<WindowedValue<?>> elements = new ArrayList<>();
    IntStream.range(0, 10_000).forEach(i -> elements.add(in("key" + i % 1_000, i)));
    CombineSpec sum = sum(StringUtf8Coder.of(), WindowingStrategy.globalDefault());

    List<WindowedValue<Object>> partial = Steps.runPartial(sum, 64 << 10, elements);

    assertThat(partial.size()).isGreaterThan(1_000).isLessThanOrEqualTo(10_000);
    assertThat(Steps.runSplit(sum, 64 << 10, List.of(elements)))
        .isEqualTo(Steps.runWhole(sum, elements));
  }

  @Test
  void whereKeysHardlyRepeatRecordsPassUntilTheyDoAgain() throws Exception {
    List<WindowedValue<?>> elements = new ArrayList<>();
    // A sample of keys of their own, so the next million pass, though most of them are one key;
    // that key is found by the sample behind them.
    int rare = KeyRepetition.SAMPLE;
    IntStream.range(0, rare).forEach(i -> elements.add(in("key" + i, 1)));
    IntStream.range(0, KeyRepetition.PASSED + rare).forEach(i -> elements.add(in("hot", 1)));
    CombineSpec sum = sum(StringUtf8Coder.of(), WindowingStrategy.globalDefault());

    List<WindowedValue<Object>> partial = Steps.runPartial(sum, ROOMY, elements);

    assertThat(partial).hasSize(rare + KeyRepetition.PASSED + 1);
    assertThat(partial.get(partial.size() - 1).getValue()).isEqualTo(KV.of("hot", rare));
    assertThat(
            partial.stream()
                .mapToLong(out -> (Integer) ((KV<?, ?>) out.getValue()).getValue())
                .sum())
        .isEqualTo(elements.size());
  }

  @Test
  void whereKeysRepeatNothingPasses() throws Exception {
    List<WindowedValue<?>> elements = new ArrayList<>();
    IntStream.range(0, 2 * KeyRepetition.SAMPLE).forEach(i -> elements.add(in("key" + i / 2, 1)));
    CombineSpec sum = sum(StringUtf8Coder.of(), WindowingStrategy.globalDefault());

    assertThat(Steps.runPartial(sum, 4 * ROOMY, elements)).hasSize(KeyRepetition.SAMPLE);
  }

  @Test
  void sumsOfShortTextsAreThoseOfOthers() throws Exception {
    List<WindowedValue<?>> elements = new ArrayList<>();
    // Short and long ones, more than the table has memory for, now and then in another window.
    IntStream.range(0, 60_000)
        .forEach(
            i -> {
              String key = (i % 3 == 0 ? "a long key of " : "key") + i % 7_000;
              elements.add(at(i, key, (long) i, i % 5 == 0 ? SECOND : FIRST));
            });
    CombineSpec sum =
        Steps.combine(
            Sum.ofLongs(),
            StringUtf8Coder.of(),
            VarLongCoder.of(),
            accumulatorCoder(),
            VarLongCoder.of(),
            WindowingStrategy.of(FixedWindows.of(MINUTE)));

    List<WindowedValue<Object>> whole = Steps.runWhole(sum, elements);

    assertThat(Steps.runSplit(sum, 256 << 10, List.of(elements))).isEqualTo(whole);
    assertThat(
            Steps.runSplit(
                sum, ROOMY, List.of(elements.subList(0, 999), elements.subList(999, 60_000))))
        .isEqualTo(whole);
    assertThat(Steps.runPartial(sum, ROOMY, elements)).hasSize(14_000);
  }

  private static Coder<?> accumulatorCoder() throws Exception {
    return Sum.ofLongs().getAccumulatorCoder(CoderRegistry.createDefault(), VarLongCoder.of());
  }

  /** What comes out is a key that came, and not what stands for equal ones. */
  @Test
  void textsThatOnlyTheirCoderTakesForEqualAreOneKey() throws Exception {
    CombineSpec count =
        Steps.combine(
            Count.<Long>combineFn(),
            new AnyCaseCoder(),
            VarLongCoder.of(),
            accumulatorCoder(),
            VarLongCoder.of(),
            WindowingStrategy.globalDefault());

    assertThat(Steps.runPartial(count, ROOMY, List.of(in("Word", 1L), in("WORD", 1L))))
        .singleElement()
        .satisfies(
            element -> {
              KV<?, ?> kv = (KV<?, ?>) element.getValue();
              assertThat(kv.getKey()).isEqualTo("Word");
              assertThat(kv.getValue()).isEqualTo(new long[] {2});
            });
  }

  private static final class AnyCaseCoder extends AtomicCoder<String> {
    private static final long serialVersionUID = 1;

    @Override
    public Object structuralValue(String value) {
      return value.toLowerCase(Locale.ROOT);
    }

    @Override
    public void encode(String value, OutputStream out) throws IOException {
      StringUtf8Coder.of().encode(value, out);
    }

    @Override
    public String decode(InputStream in) throws IOException {
      return StringUtf8Coder.of().decode(in);
    }
  }

  @Test
  void oneAccumulatorThatGrowsIsEmptiedToo() throws Exception {
    List<WindowedValue<?>> elements = new ArrayList<>();
    IntStream.range(0, 100_000).forEach(i -> elements.add(in("hot", i)));

    List<WindowedValue<Object>> partial = Steps.runPartial(collect(), 256 << 10, elements);

    assertThat(partial.size()).isGreaterThan(3);
    assertThat(
            partial.stream()
                .mapToInt(element -> ((List<?>) ((KV<?, ?>) element.getValue()).getValue()).size())
                .sum())
        .isEqualTo(100_000);
  }

  @Test
  void oneAccumulatorThatGrowsAmongManyIsEmptiedToo() throws Exception {
    List<WindowedValue<?>> elements = new ArrayList<>();
    IntStream.range(0, 1_000).forEach(i -> elements.add(in("key" + i, i)));
    IntStream.range(0, 200_000).forEach(i -> elements.add(in("key7", i)));

    List<WindowedValue<Object>> partial = Steps.runPartial(collect(), 2 << 20, elements);

    // The other thousand take 200 kB of the 512 that the table may have.
    assertThat(partial.size()).isGreaterThan(1_001);
  }

  @Test
  void accumulatorsAreCompactedBeforeTheShuffle() throws Exception {
    assertThat(Steps.runPartial(collect(), ROOMY, List.of(in("a", 3), in("a", 1), in("a", 2))))
        .extracting(WindowedValue::getValue)
        .containsExactly(KV.of("a", List.of(1, 2, 3)));
  }

  @Test
  void moreAccumulatorsThanABatchAreMerged() throws Exception {
    List<List<WindowedValue<?>>> tasks = new ArrayList<>();
    IntStream.range(0, 35).forEach(i -> tasks.add(List.of(in("a", i))));

    assertThat(Steps.runSplit(collect(), ROOMY, tasks))
        .containsExactly(result("a", IntStream.range(0, 35).boxed().toList()));
  }

  private static CombineSpec collect() {
    Coder<List<Integer>> list = ListCoder.of(VarIntCoder.of());
    return Steps.combine(
        new Collect(),
        StringUtf8Coder.of(),
        VarIntCoder.of(),
        list,
        list,
        WindowingStrategy.globalDefault());
  }

  @Test
  void windowsAreCombinedSeparately() throws Exception {
    List<WindowedValue<?>> elements =
        List.of(
            at(0, "a", 1, FIRST),
            at(1, "a", 2, FIRST, SECOND),
            at(60_000, "a", 4, SECOND),
            at(60_001, "b", 8, SECOND));
    CombineSpec sum = sum(StringUtf8Coder.of(), WindowingStrategy.of(FixedWindows.of(MINUTE)));

    assertThat(Steps.runWhole(sum, elements))
        .containsExactlyInAnyOrder(
            pane("a", 3, FIRST, FIRST.maxTimestamp()),
            pane("a", 6, SECOND, SECOND.maxTimestamp()),
            pane("b", 8, SECOND, SECOND.maxTimestamp()));
    assertThat(Steps.runSplit(sum, ROOMY, List.of(elements)))
        .isEqualTo(Steps.runWhole(sum, elements));
  }

  @Test
  void timestampsAreCombinedAcrossBothHalves() throws Exception {
    CombineSpec sum =
        sum(
            StringUtf8Coder.of(),
            WindowingStrategy.of(FixedWindows.of(MINUTE))
                .withTimestampCombiner(TimestampCombiner.EARLIEST));

    assertThat(
            Steps.runSplit(
                sum,
                ROOMY,
                List.of(
                    List.of(at(9, "a", 1, FIRST), at(5, "a", 2, FIRST)),
                    List.of(at(7, "a", 4, FIRST)))))
        .containsExactly(pane("a", 7, FIRST, Instant.ofEpochMilli(5)));
  }

  @Test
  void sessionsMergeBeforeTheyAreCombined() throws Exception {
    CombineSpec sum =
        sum(
            StringUtf8Coder.of(),
            WindowingStrategy.of(Sessions.withGapDuration(Duration.millis(10))));

    assertThat(
            Steps.runWhole(
                sum, List.of(session(0, 1), session(100, 2), session(8, 4), session(15, 8))))
        .containsExactly(
            pane("a", 13, window(0, 25), Instant.ofEpochMilli(24)),
            pane("a", 2, window(100, 110), Instant.ofEpochMilli(109)));
  }

  @Test
  void mergingWindowsCannotBeSplit() {
    CombineSpec sum =
        sum(StringUtf8Coder.of(), WindowingStrategy.of(Sessions.withGapDuration(MINUTE)));

    assertThatThrownBy(() -> Steps.runPartial(sum, ROOMY, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("step 'Combine' cannot be split");
  }

  @Test
  void functionWithContextSeesTheSideInputOfItsWindow() throws Exception {
    PCollectionView<Integer> view =
        Pipeline.create()
            .apply(Create.empty(VarIntCoder.of()))
            .apply(Window.into(FixedWindows.of(MINUTE)))
            .apply(View.asSingleton());
    WindowingStrategy<?, ?> fixed = WindowingStrategy.of(FixedWindows.of(MINUTE));
    CombineSpec spec =
        new CombineSpec(
            "Combine",
            Phase.WHOLE,
            new ScaledSum(view),
            new CombineSpec.Coders(
                StringUtf8Coder.of(), VarIntCoder.of(), VarIntCoder.of(), VarIntCoder.of()),
            fixed,
            List.of(view));
    InMemoryShuffle shuffle =
        new InMemoryShuffle(StringUtf8Coder.of(), VarIntCoder.of(), fixed)
            .add(List.of(at(0, "a", 1, FIRST), at(60_000, "a", 2, SECOND)));

    assertThat(
            new InMemoryTask(BeamSpecs.toFunctionSpec(Urns.COMBINE, spec))
                .withSideInput(
                    Views.tag(view).getId(),
                    List.of(
                        WindowedValues.of(10, FIRST.start(), FIRST, PaneInfo.NO_FIRING),
                        WindowedValues.of(100, SECOND.start(), SECOND, PaneInfo.NO_FIRING)))
                .runGroups(shuffle.groups()))
        .extracting(WindowedValue::getValue)
        .containsExactlyInAnyOrder(KV.of("a", 10), KV.of("a", 200));
  }

  private static final class ScaledSum extends CombineFnWithContext<Integer, Integer, Integer> {

    private final PCollectionView<Integer> scale;

    ScaledSum(PCollectionView<Integer> scale) {
      this.scale = scale;
    }

    @Override
    public Integer createAccumulator(Context context) {
      return 0;
    }

    @Override
    public Integer addInput(Integer accumulator, Integer input, Context context) {
      return accumulator + input * context.sideInput(scale);
    }

    @Override
    public Integer mergeAccumulators(Iterable<Integer> accumulators, Context context) {
      return new ImmutableSum().mergeAccumulators(accumulators);
    }

    @Override
    public Integer extractOutput(Integer accumulator, Context context) {
      return accumulator;
    }
  }

  @Test
  void groupedValuesAreCombinedWhereTheyAre() throws Exception {
    CombineSpec sum = sum(StringUtf8Coder.of(), WindowingStrategy.of(new GlobalWindows()));
    WindowedValue<?> group =
        WindowedValues.timestampedValueInGlobalWindow(
            KV.of("a", List.of(1, 2, 3)), Instant.ofEpochMilli(7));

    assertThat(
            new InMemoryTask(BeamSpecs.toFunctionSpec(Urns.COMBINE_GROUPED_VALUES, sum))
                .run(List.of(group)))
        .containsExactly(
            WindowedValues.timestampedValueInGlobalWindow(KV.of("a", 6), Instant.ofEpochMilli(7)));
  }

  @Test
  void nullIsAKey() throws Exception {
    CombineSpec sum =
        sum(NullableCoder.of(StringUtf8Coder.of()), WindowingStrategy.globalDefault());

    TreeMap<String, Object> sums = new TreeMap<>();
    for (WindowedValue<Object> element :
        Steps.runSplit(sum, ROOMY, List.of(List.of(in(null, 1), in("a", 2), in(null, 4))))) {
      KV<?, ?> kv = (KV<?, ?>) element.getValue();
      sums.put(String.valueOf(kv.getKey()), kv.getValue());
    }
    assertThat(sums).containsEntry("null", 5).containsEntry("a", 2);
  }

  static CombineSpec sum(Coder<?> keyCoder, WindowingStrategy<?, ?> windowing) {
    return Steps.combine(
        new ImmutableSum(),
        keyCoder,
        VarIntCoder.of(),
        VarIntCoder.of(),
        VarIntCoder.of(),
        windowing);
  }

  private static WindowedValue<?> in(Object key, Object value) {
    return WindowedValues.valueInGlobalWindow(KV.of(key, value));
  }

  private static WindowedValue<?> at(
      long millis, String key, Object value, IntervalWindow... windows) {
    return WindowedValues.of(
        KV.of(key, value), Instant.ofEpochMilli(millis), List.of(windows), PaneInfo.NO_FIRING);
  }

  private static WindowedValue<?> session(long millis, int value) {
    return at(millis, "a", value, window(millis, millis + 10));
  }

  private static IntervalWindow window(long start, long end) {
    return new IntervalWindow(Instant.ofEpochMilli(start), Instant.ofEpochMilli(end));
  }

  private static WindowedValue<Object> pane(
      String key, int value, IntervalWindow window, Instant timestamp) {
    return WindowedValues.of(
        KV.of(key, value), timestamp, window, PaneInfo.ON_TIME_AND_ONLY_FIRING);
  }
}
