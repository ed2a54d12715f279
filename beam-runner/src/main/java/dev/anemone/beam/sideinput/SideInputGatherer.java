// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.RecordTable;
import dev.anemone.runtime.spi.SizedReceiver;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * Gathers the elements of a side input that are in the latest pane of their window: in the heap
 * while there is memory for side inputs, and when there is no more, all of them in a table. Used by
 * one thread.
 */
final class SideInputGatherer implements SizedReceiver, Closeable {

  /** What an element takes besides its own bytes: an object's header, and a place in a list. */
  private static final int ELEMENT_BYTES = 32;

  private final SideInputLayout layout;
  private final Coder<BoundedWindow> windowCoder;
  private final OperatorContext context;
  private final SideInputMemory memory;
  private final LatestPanes panes;
  private Map<BoundedWindow, List<Object>> elements = new HashMap<>();
  private long taken;
  private RecordTable.Builder table;
  private BoundedWindow lastWindow;
  private byte[] lastWindowBytes;

  private SideInputGatherer(SideInputSource source, OperatorContext context) throws Exception {
    this.layout = SideInputLayout.of(source);
    this.windowCoder = source.windowCoder();
    this.context = context;
    this.memory = SideInputMemory.of(context);
    this.panes = new LatestPanes(source.windowing());
  }

  /** Reads the side input that the edges of the operator bring. */
  static SideInputContents read(SideInputSource source, OperatorContext context) throws Exception {
    try (SideInputGatherer gatherer = new SideInputGatherer(source, context)) {
      context.readSideInput(source.input(), gatherer);
      return gatherer.contents();
    }
  }

  @Override
  public void accept(Object element, int encodedBytes) throws Exception {
    WindowedValue<?> windowed = (WindowedValue<?>) element;
    for (BoundedWindow window : windowed.getWindows()) {
      int order = panes.see(window, windowed.getPaneInfo());
      if (order < 0) {
        continue;
      }
      if (order > 0) {
        forget(window);
      }
      if (table == null && !takeMemory(encodedBytes)) {
        moveToTable();
      }
      if (table == null) {
        elements.computeIfAbsent(window, absent -> new ArrayList<>()).add(windowed.getValue());
      } else {
        write(windowed.getValue(), window);
      }
    }
  }

  /** Drops what an earlier pane has brought. In a table it stays, where nobody looks for it. */
  private void forget(BoundedWindow window) {
    if (table == null) {
      elements.remove(window);
    }
    if (window.equals(lastWindow)) {
      lastWindow = null;
    }
  }

  private boolean takeMemory(int encodedBytes) {
    long bytes = (long) encodedBytes + ELEMENT_BYTES;
    if (!memory.tryTake(bytes)) {
      return false;
    }
    taken += bytes;
    return true;
  }

  private void moveToTable() throws IOException {
    table = context.newRecordTable();
    for (Map.Entry<BoundedWindow, List<Object>> entry : elements.entrySet()) {
      for (Object element : entry.getValue()) {
        write(element, entry.getKey());
      }
    }
    elements = Map.of();
    memory.giveBack(taken);
    taken = 0;
  }

  private void write(Object element, BoundedWindow window) throws IOException {
    if (!window.equals(lastWindow)) {
      lastWindowBytes = panes.encoded(windowCoder, window);
      lastWindow = window;
    }
    layout.write(element, lastWindowBytes, table);
  }

  private SideInputContents contents() throws IOException {
    taken = 0;
    if (table == null) {
      return new HeapContents(layout, elements);
    }
    panes.complete();
    return new TableContents(layout, windowCoder, panes, table.build());
  }

  /** Gives back what the contents do not have. */
  @Override
  public void close() throws IOException {
    memory.giveBack(taken);
    if (table != null) {
      table.close();
    }
  }
}
