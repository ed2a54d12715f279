// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.Coder.NonDeterministicException;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.transforms.windowing.AfterWatermark;
import org.apache.beam.sdk.transforms.windowing.DefaultTrigger;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Trigger;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * How elements become records of a keyed shuffle, and so what a group of it is.
 *
 * @param mode what lies in a record's key and value
 * @param timestamps whether a record's value begins with the element's timestamp; always so in
 *     {@link Mode#MERGING}
 */
public record GroupingSpec(Mode mode, boolean timestamps) implements Serializable {

  /** What lies in the key and the value of a record. */
  public enum Mode {
    /** Everything is in the global window. Key: the key's bytes. Value: the value's bytes. */
    GLOBAL,
    /**
     * One record for each window of an element. Key: the key's bytes, then the window's. Value: the
     * value's bytes.
     */
    WINDOW_IN_KEY,
    /**
     * The windows of a key must be seen together. Key: the key's bytes. Value: the element's
     * timestamp, windows and pane, then the value's bytes.
     */
    MERGING
  }

  public GroupingSpec {
    requireNonNull(mode, "mode");
  }

  /** Groups that hold all elements of a key, whatever their windows, each with all it carries. */
  public static GroupingSpec ofWholeKeys() {
    return new GroupingSpec(Mode.MERGING, true);
  }

  /** The cheapest grouping that is right for a windowing strategy. */
  public static GroupingSpec of(WindowingStrategy<?, ?> windowing) {
    if (windowing.needsMerge() || !firesOnce(windowing.getTrigger())) {
      return ofWholeKeys();
    }
    boolean timestamps = !windowing.getTimestampCombiner().dependsOnlyOnWindow();
    if (windowing.getWindowFn() instanceof GlobalWindows) {
      return new GroupingSpec(Mode.GLOBAL, timestamps);
    }
    try {
      windowing.getWindowFn().windowCoder().verifyDeterministic();
    } catch (NonDeterministicException e) {
      // The bytes of such a window say nothing about its identity.
      return ofWholeKeys();
    }
    return new GroupingSpec(Mode.WINDOW_IN_KEY, timestamps);
  }

  /** Whether all records have the same key, whatever their elements are. */
  public boolean hasOneKey(Coder<?> keyCoder) {
    return keyCoder instanceof VoidCoder && mode != Mode.WINDOW_IN_KEY;
  }

  /** Whether a trigger, given all data at once, fires one pane when its window ends. */
  public static boolean firesOnce(Trigger trigger) {
    return trigger instanceof DefaultTrigger || trigger instanceof AfterWatermark.FromEndOfWindow;
  }
}
