// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.harness.Steps;
import dev.anemone.beam.operator.step.Windows;
import dev.anemone.beam.spec.CombineSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;
import org.joda.time.Instant;

/** The two halves of a combine give what the whole gives, however the work is divided. */
class SplitCombineTest {

  private static final Duration LENGTH = Duration.millis(100);

  @Property(tries = 50)
  void partialAndMergingGiveWhatTheWholeGives(
      @ForAll("elements") List<WindowedValue<KV<String, Integer>>> elements,
      @ForAll @IntRange(min = 1, max = 5) int tasks,
      @ForAll @IntRange(min = 1, max = 20_000) int memoryBudget,
      @ForAll TimestampCombiner timestampCombiner)
      throws Exception {
    CombineSpec sum =
        CombineOperatorsTest.sum(
            StringUtf8Coder.of(),
            WindowingStrategy.of(FixedWindows.of(LENGTH)).withTimestampCombiner(timestampCombiner));
    List<List<WindowedValue<?>>> divided = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      divided.add(new ArrayList<>());
    }
    for (int i = 0; i < elements.size(); i++) {
      divided.get(i % tasks).add(elements.get(i));
    }

    List<WindowedValue<Object>> split = Steps.runSplit(sum, memoryBudget, divided);

    assertThat(split).isEqualTo(Steps.runWhole(sum, elements));
    assertThat(sums(split)).isEqualTo(expectedSums(elements));
  }

  private static Map<Object, Integer> sums(List<WindowedValue<Object>> results) {
    Map<Object, Integer> sums = new HashMap<>();
    for (WindowedValue<Object> result : results) {
      KV<?, ?> kv = (KV<?, ?>) result.getValue();
      sums.put(List.of(kv.getKey(), Windows.single(result)), (Integer) kv.getValue());
    }
    return sums;
  }

  private static Map<Object, Integer> expectedSums(
      List<WindowedValue<KV<String, Integer>>> elements) {
    Map<Object, Integer> sums = new HashMap<>();
    for (WindowedValue<KV<String, Integer>> element : elements) {
      KV<String, Integer> kv = element.getValue();
      element
          .getWindows()
          .forEach(window -> sums.merge(List.of(kv.getKey(), window), kv.getValue(), Integer::sum));
    }
    return sums;
  }

  @Provide
  Arbitrary<List<WindowedValue<KV<String, Integer>>>> elements() {
    Arbitrary<List<IntervalWindow>> windows =
        Arbitraries.integers()
            .between(0, 3)
            .map(
                index ->
                    new IntervalWindow(Instant.ofEpochMilli(index * LENGTH.getMillis()), LENGTH))
            .list()
            .uniqueElements()
            .ofMinSize(1)
            .ofMaxSize(3);
    return Combinators.combine(
            Arbitraries.strings().withCharRange('a', 'c').ofMaxLength(2),
            Arbitraries.integers().between(-1_000, 1_000),
            Arbitraries.longs().between(0, 400),
            windows)
        .as(
            (key, value, millis, list) ->
                WindowedValues.of(
                    KV.of(key, value), Instant.ofEpochMilli(millis), list, PaneInfo.NO_FIRING))
        .list()
        .ofMaxSize(300);
  }
}
