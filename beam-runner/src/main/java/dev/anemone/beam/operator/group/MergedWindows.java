// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.group;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.WindowingStrategy;

/** Which windows of one key a merging window function makes one of. */
final class MergedWindows {

  private final Map<BoundedWindow, BoundedWindow> merged;

  private MergedWindows(Map<BoundedWindow, BoundedWindow> merged) {
    this.merged = merged;
  }

  /** Merges all windows of a key at once, which a batch runner can, as it knows them all. */
  static MergedWindows of(WindowingStrategy<?, ?> windowing, Set<BoundedWindow> windows)
      throws Exception {
    Map<BoundedWindow, BoundedWindow> merged = new HashMap<>();
    for (BoundedWindow window : windows) {
      merged.put(window, window);
    }
    if (windowing.needsMerge()) {
      @SuppressWarnings("unchecked") // these are the windows that it assigned
      WindowFn<Object, BoundedWindow> windowFn =
          (WindowFn<Object, BoundedWindow>) windowing.getWindowFn();
      windowFn.mergeWindows(new Context(windowFn, windows, merged));
    }
    return new MergedWindows(merged);
  }

  /** The window that {@code window} became a part of, itself if it was not merged. */
  BoundedWindow of(BoundedWindow window) {
    return merged.get(window);
  }

  private static final class Context extends WindowFn<Object, BoundedWindow>.MergeContext {

    private final Set<BoundedWindow> windows;
    private final Map<BoundedWindow, BoundedWindow> merged;

    Context(
        WindowFn<Object, BoundedWindow> windowFn,
        Set<BoundedWindow> windows,
        Map<BoundedWindow, BoundedWindow> merged) {
      windowFn.super();
      this.windows = windows;
      this.merged = merged;
    }

    @Override
    public Collection<BoundedWindow> windows() {
      return Collections.unmodifiableSet(windows);
    }

    @Override
    public void merge(Collection<BoundedWindow> toBeMerged, BoundedWindow mergeResult) {
      for (BoundedWindow window : toBeMerged) {
        merged.put(window, mergeResult);
      }
    }
  }
}
