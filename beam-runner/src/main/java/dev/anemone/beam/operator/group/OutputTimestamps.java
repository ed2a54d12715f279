// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.group;

import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Instant;

/** The timestamp of an aggregate, from those of the elements in it and from its window. */
public final class OutputTimestamps {

  private final TimestampCombiner combiner;

  public OutputTimestamps(WindowingStrategy<?, ?> windowing) {
    this.combiner = windowing.getTimestampCombiner();
  }

  /** Whether the elements' timestamps matter, and not only the window. */
  public boolean dependOnElements() {
    return !combiner.dependsOnlyOnWindow();
  }

  /**
   * The timestamp of an aggregate after one more element.
   *
   * @param sofar of the elements before, null if there were none
   */
  public Instant add(Instant sofar, Instant element) {
    if (sofar == null) {
      return element;
    }
    boolean elementIsEarlier = element.getMillis() < sofar.getMillis();
    return elementIsEarlier == combiner.dependsOnlyOnEarliestTimestamp() ? element : sofar;
  }

  /**
   * The timestamp of a finished aggregate.
   *
   * @param combined what {@link #add} came to; not looked at if only the window matters
   */
  public Instant of(BoundedWindow window, Instant combined) {
    return dependOnElements() ? combined : window.maxTimestamp();
  }
}
