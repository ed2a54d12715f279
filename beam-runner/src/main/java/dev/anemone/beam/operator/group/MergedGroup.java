// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.group;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.operator.step.Windows;
import dev.anemone.runtime.spi.KeyGroup.ReplayableValues;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Instant;

/**
 * What a first pass over the values of a key says: which windows there are once all are merged, and
 * how much lies in each. Holds one entry for each distinct window, and no values.
 */
public final class MergedGroup {

  private final MergedWindows mergedWindows;
  private final List<Content> contents;

  private MergedGroup(MergedWindows mergedWindows, List<Content> contents) {
    this.mergedWindows = mergedWindows;
    this.contents = contents;
  }

  /** What lies in one window. */
  public static final class Content {

    private final BoundedWindow window;
    private Instant timestamp;
    private long bytes;

    Content(BoundedWindow window) {
      this.window = window;
    }

    public BoundedWindow window() {
      return window;
    }

    /** The combined timestamp of the elements. */
    public Instant timestamp() {
      return timestamp;
    }

    /** Size of the encoded elements in bytes. */
    long bytes() {
      return bytes;
    }

    private void add(Content part, OutputTimestamps timestamps) {
      timestamp = timestamps.add(timestamp, part.timestamp);
      bytes += part.bytes;
    }
  }

  /** Reads the metadata of all values. */
  public static MergedGroup read(
      ReplayableValues values,
      GroupDecoder decoder,
      WindowingStrategy<?, ?> windowing,
      OutputTimestamps timestamps)
      throws Exception {
    Map<BoundedWindow, Content> unmerged = new LinkedHashMap<>();
    ValueCursor cursor = values.cursor();
    while (cursor.next()) {
      InputStream value = cursor.value();
      int bytes = value.available();
      WindowedValue<Void> metadata = decoder.readMetadata(value);
      for (BoundedWindow window : metadata.getWindows()) {
        Content content = unmerged.computeIfAbsent(window, Content::new);
        content.timestamp = timestamps.add(content.timestamp, metadata.getTimestamp());
        content.bytes += bytes;
      }
    }
    MergedWindows mergedWindows = MergedWindows.of(windowing, unmerged.keySet());
    Map<BoundedWindow, Content> merged = new HashMap<>();
    for (Content part : unmerged.values()) {
      merged.computeIfAbsent(mergedWindows.of(part.window), Content::new).add(part, timestamps);
    }
    List<Content> contents = new ArrayList<>(merged.values());
    contents.sort(Comparator.comparing(content -> content.window.maxTimestamp()));
    return new MergedGroup(mergedWindows, contents);
  }

  /** The windows after merging, by their end. */
  public List<Content> contents() {
    return contents;
  }

  /** The windows after merging that an element is in. */
  public Set<BoundedWindow> windowsOf(WindowedValue<?> element) {
    if (Windows.isSingle(element)) {
      return Set.of(mergedWindows.of(Windows.single(element)));
    }
    Set<BoundedWindow> windows = new LinkedHashSet<>();
    for (BoundedWindow window : element.getWindows()) {
      windows.add(mergedWindows.of(window));
    }
    return windows;
  }
}
