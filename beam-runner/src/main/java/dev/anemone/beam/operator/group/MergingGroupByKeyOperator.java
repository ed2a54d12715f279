// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.group;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.operator.group.MergedGroup.Content;
import dev.anemone.beam.operator.step.StepGroupOperator;
import dev.anemone.beam.spec.GroupByKeySpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.KeyGroup.ReplayableValues;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * Groups values by key and merging windows, such as sessions, with a trigger that fires once. The
 * first pass over a key's values finds the merged windows. Then as many windows at a time as fit
 * into memory get their values in one more pass; one that does not fit alone is decoded while it is
 * iterated.
 */
public final class MergingGroupByKeyOperator extends StepGroupOperator {

  /** Objects take about this many times the memory of their encoding. */
  private static final int OBJECT_FACTOR = 4;

  /** The share of a task's memory that the values of one key may take, as objects. */
  private static final int MEMORY_SHARE = 4;

  private final GroupDecoder decoder;
  private final WindowingStrategy<?, ?> windowing;
  private final OutputTimestamps timestamps;
  private long batchBytes;

  public MergingGroupByKeyOperator(GroupByKeySpec spec) {
    super(spec.stepName());
    this.decoder =
        new GroupDecoder(
            GroupingSpec.of(spec.windowing()),
            spec.keyCoder(),
            spec.valueCoder(),
            spec.windowing().getWindowFn().windowCoder());
    this.windowing = spec.windowing();
    this.timestamps = new OutputTimestamps(spec.windowing());
  }

  @Override
  protected void start(OperatorContext context) {
    batchBytes = context.memoryBudgetBytes() / (OBJECT_FACTOR * MEMORY_SHARE);
  }

  @Override
  protected void process(KeyGroup group) throws Exception {
    Object key = decoder.readKey(group.key());
    ReplayableValues values = group.replayableValues();
    MergedGroup merged = MergedGroup.read(values, decoder, windowing, timestamps);
    List<Content> batch = new ArrayList<>();
    long bytes = 0;
    for (Content content : merged.contents()) {
      if (!batch.isEmpty() && bytes + content.bytes() > batchBytes) {
        emitBatch(key, values, merged, batch);
        batch.clear();
        bytes = 0;
      }
      if (content.bytes() > batchBytes) {
        emitLarge(key, values, merged, content);
      } else {
        batch.add(content);
        bytes += content.bytes();
      }
    }
    if (!batch.isEmpty()) {
      emitBatch(key, values, merged, batch);
    }
  }

  private void emitBatch(
      Object key, ReplayableValues values, MergedGroup merged, List<Content> batch)
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
      emit(key, content, Collections.unmodifiableList(lists.get(content.window())));
    }
  }

  private void emitLarge(Object key, ReplayableValues values, MergedGroup merged, Content content)
      throws Exception {
    GroupValues inWindow =
        new GroupValues(values, value -> readIfIn(content.window(), merged, value));
    try {
      emit(key, content, inWindow);
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

  private void emit(Object key, Content content, Iterable<Object> values) throws Exception {
    output()
        .accept(
            WindowedValues.of(
                KV.of(key, values),
                timestamps.of(content.window(), content.timestamp()),
                content.window(),
                PaneInfo.ON_TIME_AND_ONLY_FIRING));
  }
}
