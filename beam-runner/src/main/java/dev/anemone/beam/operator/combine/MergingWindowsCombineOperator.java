// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import dev.anemone.beam.operator.group.MergedGroup;
import dev.anemone.beam.operator.group.MergedGroup.Content;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.KeyGroup.ReplayableValues;
import dev.anemone.runtime.spi.ValueCursor;
import java.util.HashMap;
import java.util.Map;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * Combines values by key and merging windows, such as sessions, with a trigger that fires once. The
 * first pass over a key's values finds the merged windows, the second combines: one accumulator for
 * each merged window, and no values in memory.
 */
final class MergingWindowsCombineOperator extends CombineGroupOperator {

  private final WindowingStrategy<?, ?> windowing;

  MergingWindowsCombineOperator(CombineSpec spec) {
    super(spec, spec.coders().input());
    this.windowing = spec.windowing();
  }

  @Override
  protected void process(KeyGroup group) throws Exception {
    Object key = decoder.readKey(group.key());
    ReplayableValues values = group.replayableValues();
    MergedGroup merged = MergedGroup.read(values, decoder, windowing, timestamps);
    Map<BoundedWindow, Object> accumulators = new HashMap<>();
    for (Content content : merged.contents()) {
      function.enter(content.window());
      accumulators.put(content.window(), function.create());
    }
    ValueCursor cursor = values.cursor();
    while (cursor.next()) {
      WindowedValue<Object> element = decoder.readElement(cursor.value());
      for (BoundedWindow window : merged.windowsOf(element)) {
        function.enter(window);
        accumulators.put(window, function.add(accumulators.get(window), element.getValue()));
      }
    }
    for (Content content : merged.contents()) {
      function.enter(content.window());
      Object accumulator = accumulators.remove(content.window());
      output().accept(result(key, content.window(), content.timestamp(), accumulator));
    }
  }
}
