// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.coder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.harness.InMemoryShuffle;
import dev.anemone.beam.spec.ElementCoderSpec;
import dev.anemone.beam.spec.GroupingSpec;
import java.util.List;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

class KeyedRecordEncoderTest {

  private static final Duration MINUTE = Duration.standardMinutes(1);

  @Test
  void arraysWithTheSameBytesAreOneKey() throws Exception {
    InMemoryShuffle shuffle =
        shuffle(ByteArrayCoder.of())
            .add(
                List.of(
                    element(new byte[] {1, 2}, 1),
                    element(new byte[] {1, 2}, 2),
                    element(new byte[] {1}, 3)));

    assertThat(shuffle.groups()).hasSize(2);
  }

  @Test
  void enumsAreKeysByName() throws Exception {
    InMemoryShuffle shuffle =
        shuffle(SerializableCoder.of(Colour.class))
            .add(List.of(element(Colour.RED, 1), element(Colour.BLUE, 2), element(Colour.RED, 3)));

    assertThat(shuffle.groups()).hasSize(2);
  }

  @Test
  void globalRecordIsNothingButKeyAndValue() throws Exception {
    InMemoryShuffle shuffle = shuffle(StringUtf8Coder.of()).add(List.of(element("word", 1)));

    // Five bytes of string and one of number.
    assertThat(shuffle.bytes()).isEqualTo(5 + 1);
  }

  @Test
  void elementInSeveralWindowsBecomesARecordInEach() throws Exception {
    WindowingStrategy<?, ?> sliding =
        WindowingStrategy.of(SlidingWindows.of(MINUTE).every(MINUTE.dividedBy(2)));
    Instant start = Instant.ofEpochMilli(0);
    WindowedValue<KV<String, Integer>> element =
        WindowedValues.of(
            KV.of("a", 1),
            start,
            List.of(
                new IntervalWindow(start, MINUTE),
                new IntervalWindow(start.minus(MINUTE.dividedBy(2)), MINUTE)),
            PaneInfo.NO_FIRING);

    InMemoryShuffle shuffle =
        new InMemoryShuffle(StringUtf8Coder.of(), VarIntCoder.of(), sliding).add(List.of(element));

    assertThat(shuffle.groups()).hasSize(2);
  }

  @Test
  void windowsThatMayMergeStayTogether() throws Exception {
    Instant start = Instant.ofEpochMilli(0);
    WindowedValue<KV<String, Integer>> element =
        WindowedValues.of(
            KV.of("a", 1),
            start,
            List.of(
                new IntervalWindow(start, MINUTE),
                new IntervalWindow(start.plus(Duration.millis(1)), MINUTE)),
            PaneInfo.NO_FIRING);

    InMemoryShuffle shuffle =
        new InMemoryShuffle(
                StringUtf8Coder.of(),
                VarIntCoder.of(),
                WindowingStrategy.of(Sessions.withGapDuration(MINUTE)))
            .add(List.of(element));

    assertThat(shuffle.groups()).hasSize(1);
  }

  @Test
  void elementsThatAreNoPairsAreRefused() {
    assertThatThrownBy(
            () ->
                new KeyedRecordEncoder(
                    GroupingSpec.of(WindowingStrategy.globalDefault()),
                    StringUtf8Coder.of(),
                    new ElementCoderSpec(StringUtf8Coder.of(), GlobalWindow.Coder.INSTANCE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("KvCoder")
        .hasMessageContaining("StringUtf8Coder");
  }

  private static InMemoryShuffle shuffle(Coder<?> keyCoder) throws Exception {
    return new InMemoryShuffle(keyCoder, VarIntCoder.of(), WindowingStrategy.globalDefault());
  }

  private static WindowedValue<?> element(Object key, int value) {
    return WindowedValues.valueInGlobalWindow(KV.of(key, value));
  }

  private enum Colour {
    RED,
    BLUE
  }
}
