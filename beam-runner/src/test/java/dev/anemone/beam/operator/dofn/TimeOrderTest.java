// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.harness.InMemoryShuffle;
import dev.anemone.beam.spec.GroupingSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Instant;

class TimeOrderTest {

  @Property(tries = 50)
  void isAStableSortWhateverFitsIntoMemory(
      @ForAll @Size(min = 1, max = 60) List<@IntRange(max = 20) Integer> times,
      @ForAll @IntRange(max = 300) int memoryBytes)
      throws Exception {
    InMemoryShuffle shuffle =
        new InMemoryShuffle(
            GroupingSpec.ofWholeKeys(),
            StringUtf8Coder.of(),
            VarIntCoder.of(),
            WindowingStrategy.globalDefault());
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      shuffle.add(
          List.of(
              WindowedValues.timestampedValueInGlobalWindow(
                  KV.of("a", i), Instant.ofEpochMilli(times.get(i)))));
      expected.add(i);
    }
    expected.sort(Comparator.comparing(times::get));

    GroupDecoder decoder =
        new GroupDecoder(
            GroupingSpec.ofWholeKeys(),
            StringUtf8Coder.of(),
            VarIntCoder.of(),
            GlobalWindow.Coder.INSTANCE);
    List<WindowedValue<Object>> sorted = new ArrayList<>();
    new TimeOrder(decoder, memoryBytes)
        .forEach(shuffle.groups().get(0).replayableValues(), sorted::add);

    assertThat(sorted).extracting(WindowedValue::getValue).isEqualTo(expected);
  }
}
