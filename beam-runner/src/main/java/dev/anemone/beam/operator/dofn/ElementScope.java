// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.reflect.DoFnSignatures;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.WindowedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.joda.time.format.PeriodFormat;

/** The element that a DoFn is processing. One object serves all elements of a task. */
final class ElementScope {

  private static final Duration ANY = Duration.millis(Long.MAX_VALUE);

  private final Duration allowedSkew;
  private WindowedValue<Object> element;

  @SuppressWarnings("deprecation") // users should not set a skew any more, but it counts if they do
  ElementScope(DoFn<?, ?> doFn) {
    // What a splittable DoFn outputs comes from its restriction; its element says nothing of when.
    this.allowedSkew =
        DoFnSignatures.signatureForDoFn(doFn).processElement().isSplittable()
            ? ANY
            : doFn.getAllowedTimestampSkew();
  }

  void set(WindowedValue<Object> newElement) {
    element = newElement;
  }

  WindowedValue<Object> element() {
    return element;
  }

  /**
   * Checks the timestamp of an output.
   *
   * @throws IllegalArgumentException when it lies before the element's by more than the DoFn allows
   *     (a splittable one allows any), or after the end of time
   */
  void checkTimestamp(Instant timestamp) {
    long input = element.getTimestamp().getMillis();
    long output = timestamp.getMillis();
    if (output >= input && output <= BoundedWindow.TIMESTAMP_MAX_VALUE.getMillis()) {
      return;
    }
    // A skew of half of all time is a way to say "any".
    long skew = allowedSkew.getMillis();
    long earliest = input < Long.MIN_VALUE + skew ? Long.MIN_VALUE : input - skew;
    if (output < earliest || output > BoundedWindow.TIMESTAMP_MAX_VALUE.getMillis()) {
      throw new IllegalArgumentException(
          "Cannot output with timestamp "
              + timestamp
              + ". Output timestamps must be no earlier than the timestamp of the current input ("
              + element.getTimestamp()
              + ") minus the allowed skew ("
              + describe(allowedSkew)
              + ") and no later than "
              + BoundedWindow.TIMESTAMP_MAX_VALUE
              + ".");
    }
  }

  private static String describe(Duration duration) {
    return duration.getMillis() >= Integer.MAX_VALUE
        ? duration.toString()
        : PeriodFormat.getDefault().print(duration.toPeriod());
  }
}
