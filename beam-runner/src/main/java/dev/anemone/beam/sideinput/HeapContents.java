// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;

/** A side input in the heap. */
final class HeapContents implements SideInputContents {

  private final Map<BoundedWindow, Supplier<?>> byWindow = new HashMap<>();
  private final Supplier<?> empty;

  HeapContents(SideInputLayout layout, Map<BoundedWindow, List<Object>> elements)
      throws IOException {
    for (Map.Entry<BoundedWindow, List<Object>> entry : elements.entrySet()) {
      byWindow.put(entry.getKey(), layout.ofElements(entry.getValue()));
    }
    this.empty = layout.ofElements(List.of());
  }

  @Override
  public Object in(BoundedWindow window) {
    return byWindow.getOrDefault(window, empty).get();
  }

  @Override
  public void close() {}
}
