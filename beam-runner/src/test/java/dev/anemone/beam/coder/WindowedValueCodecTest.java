// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.coder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.spec.ElementCoderSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.PaneInfo.Timing;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Instant;

class WindowedValueCodecTest {

  private static final long MIN = BoundedWindow.TIMESTAMP_MIN_VALUE.getMillis();
  private static final long MAX = BoundedWindow.TIMESTAMP_MAX_VALUE.getMillis();

  private final WindowedValueCodec intervals =
      new WindowedValueCodec(new ElementCoderSpec(StringUtf8Coder.of(), IntervalWindow.getCoder()));
  private final WindowedValueCodec global =
      new WindowedValueCodec(
          new ElementCoderSpec(StringUtf8Coder.of(), GlobalWindow.Coder.INSTANCE));

  @Property
  void anyElementInIntervalsComesBack(@ForAll("inIntervals") WindowedValue<String> element)
      throws IOException {
    assertComesBack(intervals, element);
  }

  @Property
  void anyElementInTheGlobalWindowComesBack(@ForAll("inGlobal") WindowedValue<String> element)
      throws IOException {
    assertComesBack(global, element);
  }

  private static void assertComesBack(WindowedValueCodec codec, WindowedValue<String> element)
      throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(encode(codec, element));

    WindowedValue<?> decoded = (WindowedValue<?>) codec.decode(in);

    assertThat(decoded.getValue()).isEqualTo(element.getValue());
    assertThat(decoded.getTimestamp()).isEqualTo(element.getTimestamp());
    assertThat(List.copyOf(decoded.getWindows())).isEqualTo(List.copyOf(element.getWindows()));
    assertThat(decoded.getPaneInfo()).isEqualTo(element.getPaneInfo());
    assertThat(decoded.causedByDrain()).isEqualTo(element.causedByDrain());
    assertThat(in.available()).isZero();
  }

  @Example
  void commonMetadataCostsOneByte() throws IOException {
    WindowedValue<String> plain = WindowedValues.valueInGlobalWindow("word");
    WindowedValue<String> grouped =
        WindowedValues.of(
            "word",
            GlobalWindow.INSTANCE.maxTimestamp(),
            GlobalWindow.INSTANCE,
            PaneInfo.ON_TIME_AND_ONLY_FIRING);

    // A string of four characters takes five bytes.
    assertThat(encode(global, plain)).hasSize(1 + 5);
    assertThat(encode(global, grouped)).hasSize(1 + 5);
  }

  private static byte[] encode(WindowedValueCodec codec, Object element) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    codec.encode(element, out);
    return out.toByteArray();
  }

  @Provide
  Arbitrary<WindowedValue<String>> inIntervals() {
    Arbitrary<IntervalWindow> window =
        Combinators.combine(
                Arbitraries.longs().between(MIN, MAX - 100_000),
                Arbitraries.longs().between(1, 100_000))
            .as((start, length) -> new IntervalWindow(at(start), at(start + length)));
    return elements(window.list().ofMinSize(1).ofMaxSize(4).uniqueElements());
  }

  @Provide
  Arbitrary<WindowedValue<String>> inGlobal() {
    return elements(Arbitraries.just(List.of(GlobalWindow.INSTANCE)));
  }

  private static <W extends BoundedWindow> Arbitrary<WindowedValue<String>> elements(
      Arbitrary<List<W>> windows) {
    return windows.flatMap(
        list ->
            Combinators.combine(
                    Arbitraries.strings().ofMaxLength(20),
                    Arbitraries.oneOf(
                        Arbitraries.longs().between(MIN, MAX),
                        Arbitraries.of(MIN, MAX, list.get(0).maxTimestamp().getMillis(), 0L, -1L)),
                    panes(),
                    Arbitraries.of(true, false))
                .as(
                    (value, millis, pane, drain) ->
                        WindowedValues.of(value, at(millis), list, pane, null, null, drain)));
  }

  private static Arbitrary<PaneInfo> panes() {
    Arbitrary<PaneInfo> any =
        Combinators.combine(
                Arbitraries.of(true, false),
                Arbitraries.of(Timing.class),
                Arbitraries.longs().between(0, 300))
            .as(
                (last, timing, index) ->
                    PaneInfo.createPane(
                        index == 0, last, timing, index, timing == Timing.EARLY ? -1 : index));
    return Arbitraries.oneOf(
        any, Arbitraries.of(PaneInfo.NO_FIRING, PaneInfo.ON_TIME_AND_ONLY_FIRING));
  }

  private static Instant at(long millis) {
    return Instant.ofEpochMilli(millis);
  }
}
