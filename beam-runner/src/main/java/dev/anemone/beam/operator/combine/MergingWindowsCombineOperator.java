// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.operator.group.MergedGroup;
import dev.anemone.beam.operator.group.MergedGroup.Content;
import dev.anemone.beam.operator.group.OutputTimestamps;
import dev.anemone.beam.operator.step.StepGroupOperator;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.KeyGroup.ReplayableValues;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.ValueCursor;
import java.util.HashMap;
import java.util.Map;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;

/**
 * Combines values by key and merging windows, such as sessions, with a trigger that fires once. The
 * first pass over a key's values finds the merged windows, the second combines: one accumulator for
 * each merged window, and no values in memory.
 */
final class MergingWindowsCombineOperator extends StepGroupOperator {

  private final CombineSpec spec;
  private final GroupDecoder decoder;
  private final OutputTimestamps timestamps;
  private CombineFunction function;

  MergingWindowsCombineOperator(CombineSpec spec) {
    super(spec.stepName());
    this.spec = spec;
    this.decoder =
        new GroupDecoder(
            GroupingSpec.of(spec.windowing()),
            spec.coders().key(),
            spec.coders().input(),
            spec.windowing().getWindowFn().windowCoder());
    this.timestamps = new OutputTimestamps(spec.windowing());
  }

  @Override
  protected void start(OperatorContext context) throws Exception {
    function = new CombineFunction(spec, context);
  }

  @Override
  protected void process(KeyGroup group) throws Exception {
    Object key = decoder.readKey(group.key());
    ReplayableValues values = group.replayableValues();
    MergedGroup merged = MergedGroup.read(values, decoder, spec.windowing(), timestamps);
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
      output()
          .accept(
              WindowedValues.of(
                  KV.of(key, function.extract(accumulators.remove(content.window()))),
                  timestamps.of(content.window(), content.timestamp()),
                  content.window(),
                  PaneInfo.ON_TIME_AND_ONLY_FIRING));
    }
  }
}
