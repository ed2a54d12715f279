// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.operator.step.Windows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.runners.core.DoFnRunner;
import org.apache.beam.runners.core.InMemoryStateInternals;
import org.apache.beam.runners.core.LateDataUtils;
import org.apache.beam.runners.core.StateInternals;
import org.apache.beam.runners.core.StateNamespaces.WindowNamespace;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.WindowedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * One key's life in a stateful DoFn: its elements, then its timers in the order of time over all
 * its windows, and where time comes to the end of a window, that window's expiration. The state of
 * a window is held from its first element to its expiration.
 *
 * @param <KeyT> the type of the key
 */
final class KeyState<KeyT> {

  /** A window, when it expires, and its state. */
  private record Cell(BoundedWindow window, Instant expiry, StateInternals state) {}

  private final KeyT key;
  private final Duration allowedLateness;
  private final KeyTimers timers = new KeyTimers();
  private final Map<BoundedWindow, Cell> cells = new HashMap<>();
  private Cell current;

  KeyState(KeyT key, Duration allowedLateness) {
    this.key = key;
    this.allowedLateness = allowedLateness;
  }

  KeyTimers timers() {
    return timers;
  }

  /** The state in the window that is being worked on. */
  StateInternals current() {
    return current.state();
  }

  /** Processes an element that is in one window. */
  void process(WindowedValue<Object> element, DoFnRunner<Object, Object> runner) {
    enter(Windows.single(element));
    runner.processElement(element);
  }

  /** Lets time pass until the key has no state and no timers left. */
  void finish(boolean callsExpiration, DoFnRunner<Object, Object> runner) {
    List<Cell> byExpiry = new ArrayList<>(cells.values());
    byExpiry.sort(Comparator.comparing(Cell::expiry));
    for (Cell cell : byExpiry) {
      fireUpTo(cell.expiry(), runner);
      timers.advanceWatermark(cell.expiry());
      if (callsExpiration) {
        current = cell;
        runner.onWindowExpiration(cell.window(), cell.window().maxTimestamp(), key);
      }
      cells.remove(cell.window());
    }
  }

  private void fireUpTo(Instant end, DoFnRunner<Object, Object> runner) {
    for (TimerData timer = timers.takeNext(end); timer != null; timer = timers.takeNext(end)) {
      BoundedWindow window = ((WindowNamespace<?>) timer.getNamespace()).getWindow();
      enter(window);
      runner.onTimer(
          timer.getTimerId(),
          timer.getTimerFamilyId(),
          key,
          window,
          timer.getTimestamp(),
          timer.getOutputTimestamp(),
          timer.getDomain());
    }
  }

  private void enter(BoundedWindow window) {
    if (current == null || !current.window().equals(window)) {
      current = cells.computeIfAbsent(window, this::newCell);
    }
  }

  private Cell newCell(BoundedWindow window) {
    return new Cell(
        window,
        LateDataUtils.garbageCollectionTime(window, allowedLateness),
        InMemoryStateInternals.forKey(key));
  }
}
