// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.beam.runners.core.StateNamespaces;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.runners.fnexecution.control.TimerReceiverFactory;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * Tells the functions of a stage that want to know it ({@code @OnWindowExpiration}) of the end of
 * each window of each key, by timers that Beam's model has for that. Used by one thread.
 */
final class WindowEnds {

  /** A key, and the windows of its elements. */
  private record OfKey(Object key, Set<BoundedWindow> windows) {}

  private final List<String> timers;
  private final Coder<BoundedWindow> windowCoder;
  private final List<OfKey> keys = new ArrayList<>();

  private WindowEnds(List<String> timers, Coder<BoundedWindow> windowCoder) {
    this.timers = timers;
    this.windowCoder = windowCoder;
  }

  /** Those of a stage; none if no function of it wants to know. */
  @SuppressWarnings("unchecked") // the windows are those that the coder codes
  static WindowEnds of(ExecutableStage stage, Coder<? extends BoundedWindow> windowCoder) {
    List<String> timers = new ArrayList<>();
    StageFunctions.steps(stage)
        .forEach(
            step -> {
              String family = StageFunctions.payload(step).getOnWindowExpirationTimerFamilySpec();
              if (!family.isEmpty()) {
                timers.add(TimerReceiverFactory.encodeToTimerDataTimerId(step.getId(), family));
              }
            });
    return new WindowEnds(timers, (Coder<BoundedWindow>) windowCoder);
  }

  /** The elements that are seen from now on have a key. */
  void beginKey(Object key) {
    keys.add(new OfKey(key, new HashSet<>()));
  }

  /** An element of the key is sent to the stage. */
  void see(WindowedValue<?> element) {
    if (!timers.isEmpty()) {
      keys.get(keys.size() - 1).windows().addAll(element.getWindows());
    }
  }

  /** Sets the timers of all that was seen, and forgets it. */
  void endAll(StageTimers target) {
    for (OfKey ofKey : keys) {
      for (BoundedWindow window : ofKey.windows()) {
        for (String timer : timers) {
          target.set(
              ofKey.key(),
              TimerData.of(
                  "",
                  timer,
                  StateNamespaces.window(windowCoder, window),
                  window.maxTimestamp(),
                  window.maxTimestamp(),
                  TimeDomain.EVENT_TIME));
        }
      }
    }
    keys.clear();
  }
}
