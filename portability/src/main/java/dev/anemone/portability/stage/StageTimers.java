// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.runners.core.InMemoryTimerInternals;
import org.apache.beam.runners.core.TimerInternals.TimerData;
import org.apache.beam.runners.fnexecution.translation.PipelineTranslatorUtils;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.fn.data.FnDataReceiver;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.util.construction.Timer;
import org.apache.beam.sdk.values.KV;

/**
 * The timers of the keys that a stage works on. All input of these keys has arrived when they fire:
 * both clocks stand at the end of time then, so all that are set are due, event-time timers in the
 * order of their times. Thread-safe.
 */
final class StageTimers {

  /** The timers of a key. */
  private record OfKey(Object key, InMemoryTimerInternals timers) {}

  private final Coder<Object> keyCoder;
  private final Map<Object, OfKey> byKey = new LinkedHashMap<>();

  @SuppressWarnings("unchecked") // the keys are those that the coder codes
  StageTimers(Coder<?> keyCoder) {
    this.keyCoder = (Coder<Object>) keyCoder;
  }

  /** A stage sets a timer, or clears it. */
  @SuppressWarnings("deprecation") // the receiver has no other way to say all that a timer is
  synchronized void set(Timer<?> timer, TimerData data) {
    if (timer.getClearBit()) {
      ofKey(timer.getUserKey()).timers().deleteTimer(data);
    } else {
      set(timer.getUserKey(), data);
    }
  }

  /** Sets a timer of a key. */
  @SuppressWarnings("deprecation") // timers have no other way to say all that they are
  synchronized void set(Object key, TimerData data) {
    ofKey(key).timers().setTimer(data);
  }

  private OfKey ofKey(Object userKey) {
    return byKey.computeIfAbsent(
        keyCoder.structuralValue(userKey), key -> new OfKey(userKey, new InMemoryTimerInternals()));
  }

  /** Whether a timer is set. */
  synchronized boolean isAnySet() {
    return byKey.values().stream().anyMatch(ofKey -> ofKey.timers().hasPendingTimers());
  }

  /** Sends all timers that are set to a bundle, which may set others meanwhile. */
  @SuppressWarnings("rawtypes") // as Beam has them
  void fire(Map<KV<String, String>, FnDataReceiver<Timer>> receivers) throws Exception {
    for (OfKey ofKey : taken()) {
      ofKey.timers().advanceInputWatermark(BoundedWindow.TIMESTAMP_MAX_VALUE);
      ofKey.timers().advanceProcessingTime(BoundedWindow.TIMESTAMP_MAX_VALUE);
      ofKey.timers().advanceSynchronizedProcessingTime(BoundedWindow.TIMESTAMP_MAX_VALUE);
      PipelineTranslatorUtils.fireEligibleTimers(ofKey.timers(), receivers, ofKey.key());
    }
  }

  /** Those that fire now; what is set from now on is for the next time. */
  private synchronized Iterable<OfKey> taken() {
    List<OfKey> taken = List.copyOf(byKey.values());
    byKey.clear();
    return taken;
  }

  /** Forgets all keys. */
  synchronized void clear() {
    byKey.clear();
  }
}
