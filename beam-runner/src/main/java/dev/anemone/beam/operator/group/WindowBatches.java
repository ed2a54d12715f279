// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.group;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.operator.group.MergedGroup.Content;
import dev.anemone.runtime.spi.KeyGroup.ReplayableValues;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * Hands out the values of a key window by window. As many windows at a time as fit into memory get
 * their values in one pass over the key's; one that does not fit alone is decoded while it is
 * iterated.
 */
final class WindowBatches {

  /** Objects take about this many times the memory of their encoding. */
  private static final int OBJECT_FACTOR = 4;

  /** The share of a task's memory that the values of one key may take, as objects. */
  private static final int MEMORY_SHARE = 4;

  private final GroupDecoder decoder;
  private final long batchBytes;

  /** Takes the values of a window, which it may read until it returns. */
  @FunctionalInterface
  interface Consumer {
    void accept(Content content, Iterable<Object> values) throws Exception;
  }

  /**
   * Batches for groups of mode {@code MERGING}.
   *
   * @param memoryBytes of the task
   */
  WindowBatches(GroupDecoder decoder, long memoryBytes) {
    this.decoder = decoder;
    this.batchBytes = memoryBytes / (OBJECT_FACTOR * MEMORY_SHARE);
  }

  /** Hands out all windows of a key, by their end. */
  void forEach(ReplayableValues values, MergedGroup merged, Consumer consumer) throws Exception {
    List<Content> batch = new ArrayList<>();
    long bytes = 0;
    for (Content content : merged.contents()) {
      if (!batch.isEmpty() && bytes + content.bytes() > batchBytes) {
        handOut(values, merged, batch, consumer);
        batch.clear();
        bytes = 0;
      }
      if (content.bytes() > batchBytes) {
        handOutLarge(values, merged, content, consumer);
      } else {
        batch.add(content);
        bytes += content.bytes();
      }
    }
    if (!batch.isEmpty()) {
      handOut(values, merged, batch, consumer);
    }
  }

  private void handOut(
      ReplayableValues values, MergedGroup merged, List<Content> batch, Consumer consumer)
      throws Exception {
    Map<BoundedWindow, List<Object>> lists = new LinkedHashMap<>();
    for (Content content : batch) {
      lists.put(content.window(), new ArrayList<>());
    }
    ValueCursor cursor = values.cursor();
    while (cursor.next()) {
      WindowedValue<Object> element = decoder.readElement(cursor.value());
      for (BoundedWindow window : merged.windowsOf(element)) {
        List<Object> list = lists.get(window);
        if (list != null) {
          list.add(element.getValue());
        }
      }
    }
    for (Content content : batch) {
      consumer.accept(content, Collections.unmodifiableList(lists.get(content.window())));
    }
  }

  private void handOutLarge(
      ReplayableValues values, MergedGroup merged, Content content, Consumer consumer)
      throws Exception {
    GroupValues inWindow =
        new GroupValues(values, value -> readIfIn(content.window(), merged, value));
    try {
      consumer.accept(content, inWindow);
    } finally {
      inWindow.end();
    }
  }

  private Object readIfIn(BoundedWindow window, MergedGroup merged, InputStream value)
      throws IOException {
    WindowedValue<Object> element = decoder.readElement(value);
    return merged.windowsOf(element).contains(window)
        ? element.getValue()
        : GroupValues.Reader.SKIPPED;
  }
}
