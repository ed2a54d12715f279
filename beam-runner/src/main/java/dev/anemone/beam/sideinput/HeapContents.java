// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;

/** A side input in the heap. */
final class HeapContents implements SideInputContents {

  private final Map<BoundedWindow, Object> byWindow = new HashMap<>();
  private final Object empty;

  HeapContents(SideInputLayout layout, Map<BoundedWindow, List<Object>> elements) {
    elements.forEach((window, list) -> byWindow.put(window, layout.ofElements(list)));
    this.empty = layout.ofElements(List.of());
  }

  @Override
  public Object in(BoundedWindow window) {
    return byWindow.getOrDefault(window, empty);
  }

  @Override
  public void close() {}
}
