// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.step;

import java.util.Collection;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues.SingleWindowedValue;

/** Looks at the windows of an element without allocation in the common case of one. */
public final class Windows {

  private Windows() {}

  public static boolean isSingle(WindowedValue<?> element) {
    return element instanceof SingleWindowedValue || element.getWindows().size() == 1;
  }

  /**
   * The only window of an element.
   *
   * @throws IllegalStateException when there is not exactly one
   */
  public static BoundedWindow single(WindowedValue<?> element) {
    if (element instanceof SingleWindowedValue windowed) {
      return windowed.getWindow();
    }
    Collection<? extends BoundedWindow> windows = element.getWindows();
    if (windows.size() != 1) {
      throw new IllegalStateException("an element must be in one window here, was in " + windows);
    }
    return windows.iterator().next();
  }
}
