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
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * Groups values by key and merging windows, such as sessions, with a trigger that fires once. The
 * first pass over a key's values finds the merged windows; {@link WindowBatches} hand them out.
 */
public final class MergingGroupByKeyOperator extends StepGroupOperator {

  private final GroupDecoder decoder;
  private final WindowingStrategy<?, ?> windowing;
  private final OutputTimestamps timestamps;
  private WindowBatches batches;

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
    batches = new WindowBatches(decoder, context.memoryBudgetBytes());
  }

  @Override
  protected void process(KeyGroup group) throws Exception {
    Object key = decoder.readKey(group.key());
    ReplayableValues values = group.replayableValues();
    MergedGroup merged = MergedGroup.read(values, decoder, windowing, timestamps);
    batches.forEach(values, merged, (content, inWindow) -> emit(key, content, inWindow));
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
