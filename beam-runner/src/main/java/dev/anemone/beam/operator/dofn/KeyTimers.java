// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.beam.runners.core.StateNamespace;
import org.apache.beam.runners.core.TimerInternals;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;

/**
 * The timers of one key in all its windows, and the clocks that the key's functions see.
 *
 * <p>The watermark stands at the beginning of time until all elements of the key have arrived, then
 * goes from timer to timer. Processing time does not pass on its own: in a batch, whoever waits for
 * it is not made to wait. Where the watermark stands, and all event-time timers that are due there
 * have fired, processing time runs to its end once, and all timers that wait for it fire. What they
 * set for processing time is behind that end, and does not fire at all, unless it moves a timer
 * that still waits; a timer that always sets itself again would else have no end.
 */
final class KeyTimers implements TimerInternals {

  /** What no two timers of a key have in common. */
  private record Name(StateNamespace namespace, String familyId, String timerId) {}

  private final Map<Name, TimerData> byName = new HashMap<>();
  private final NavigableSet<TimerData> eventTime = new TreeSet<>();
  private final NavigableSet<TimerData> processingTime = new TreeSet<>();
  private Instant watermark = BoundedWindow.TIMESTAMP_MIN_VALUE;
  private Instant now = Instant.now();

  /** Whether processing time is running to its end, or has come to it, at this watermark. */
  private boolean running;

  /**
   * Takes the timer that fires next, and sets the clocks to its time.
   *
   * @param end event-time timers after it are not taken
   * @return null if there is none
   */
  TimerData takeNext(Instant end) {
    TimerData next;
    if (isDue(watermark)) {
      next = eventTime.pollFirst();
    } else if (!processingTime.isEmpty()) {
      running = true;
      next = processingTime.pollFirst();
      now = later(now, next.getTimestamp());
    } else if (isDue(end)) {
      next = eventTime.pollFirst();
      advanceWatermark(next.getTimestamp());
    } else {
      return null;
    }
    byName.remove(nameOf(next));
    return next;
  }

  private boolean isDue(Instant time) {
    return !eventTime.isEmpty() && !eventTime.first().getTimestamp().isAfter(time);
  }

  /** Sets the watermark to a time at which all event-time timers up to it have been taken. */
  void advanceWatermark(Instant time) {
    if (time.isAfter(watermark)) {
      watermark = time;
      running = false;
    }
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private static Name nameOf(TimerData timer) {
    return new Name(timer.getNamespace(), timer.getTimerFamilyId(), timer.getTimerId());
  }

  private NavigableSet<TimerData> timersOf(TimeDomain domain) {
    return domain == TimeDomain.EVENT_TIME ? eventTime : processingTime;
  }

  @Override
  public void setTimer(
      StateNamespace namespace,
      String timerId,
      String timerFamilyId,
      Instant target,
      Instant outputTimestamp,
      TimeDomain timeDomain) {
    set(TimerData.of(timerId, timerFamilyId, namespace, target, outputTimestamp, timeDomain));
  }

  private void set(TimerData timer) {
    TimerData before = byName.put(nameOf(timer), timer);
    if (before != null) {
      timersOf(before.getDomain()).remove(before);
    } else if (running && timer.getDomain() != TimeDomain.EVENT_TIME) {
      byName.remove(nameOf(timer));
      return;
    }
    timersOf(timer.getDomain()).add(timer);
  }

  private void delete(StateNamespace namespace, String timerId, String timerFamilyId) {
    TimerData deleted = byName.remove(new Name(namespace, timerFamilyId, timerId));
    if (deleted != null) {
      timersOf(deleted.getDomain()).remove(deleted);
    }
  }

  @Override
  public void deleteTimer(
      StateNamespace namespace, String timerId, String timerFamilyId, TimeDomain timeDomain) {
    delete(namespace, timerId, timerFamilyId);
  }

  @Override
  @Deprecated
  public void setTimer(TimerData timer) {
    set(timer);
  }

  @Override
  @Deprecated
  public void deleteTimer(StateNamespace namespace, String timerId, String timerFamilyId) {
    delete(namespace, timerId, timerFamilyId);
  }

  @Override
  @Deprecated
  public void deleteTimer(TimerData timer) {
    delete(timer.getNamespace(), timer.getTimerId(), timer.getTimerFamilyId());
  }

  @Override
  public Instant currentProcessingTime() {
    return now;
  }

  @Override
  public Instant currentSynchronizedProcessingTime() {
    return now;
  }

  @Override
  public Instant currentInputWatermarkTime() {
    return watermark;
  }

  @Override
  public Instant currentOutputWatermarkTime() {
    return watermark;
  }
}
