// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.harness.InMemoryTask;
import dev.anemone.beam.spec.AssignWindowsSpec;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.function.FunctionSpec;
import java.util.List;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

class AssignWindowsOperatorTest {

  private static final Duration MINUTE = Duration.standardMinutes(1);
  private static final Duration HALF = Duration.standardSeconds(30);
  private static final Instant AT = Instant.ofEpochMilli(70_000);

  @Test
  void elementGetsTheWindowOfItsTimestamp() throws Exception {
    assertThat(
            assign(FixedWindows.of(MINUTE), WindowedValues.timestampedValueInGlobalWindow("a", AT)))
        .containsExactly(WindowedValues.of("a", AT, window(60_000), PaneInfo.NO_FIRING));
  }

  @Test
  void slidingWindowsPutAnElementIntoSeveral() throws Exception {
    assertThat(
            assign(
                SlidingWindows.of(MINUTE).every(HALF),
                WindowedValues.timestampedValueInGlobalWindow("a", AT)))
        .containsExactly(
            WindowedValues.of(
                "a", AT, List.of(window(60_000), window(30_000)), PaneInfo.NO_FIRING));
  }

  @Test
  void elementInSeveralWindowsStandsForSeveralElements() throws Exception {
    WindowedValue<String> sliding =
        WindowedValues.of("a", AT, List.of(window(60_000), window(30_000)), PaneInfo.NO_FIRING);

    assertThat(assign(new GlobalWindows(), sliding))
        .containsExactly(
            WindowedValues.of("a", AT, GlobalWindow.INSTANCE, PaneInfo.NO_FIRING),
            WindowedValues.of("a", AT, GlobalWindow.INSTANCE, PaneInfo.NO_FIRING));
  }

  private static IntervalWindow window(long start) {
    return new IntervalWindow(Instant.ofEpochMilli(start), MINUTE);
  }

  private static List<WindowedValue<Object>> assign(
      WindowFn<Object, ?> windowFn, WindowedValue<String> element) throws Exception {
    FunctionSpec spec =
        BeamSpecs.toFunctionSpec(Urns.ASSIGN_WINDOWS, new AssignWindowsSpec(windowFn));
    return new InMemoryTask(spec).run(List.of(element));
  }
}
