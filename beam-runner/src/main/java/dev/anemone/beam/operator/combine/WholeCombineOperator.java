// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.operator.group.OutputTimestamps;
import dev.anemone.beam.operator.step.StepGroupOperator;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.InputStream;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Instant;

/** Combines all values of a key and window, one after the other. */
final class WholeCombineOperator extends StepGroupOperator {

  private final CombineSpec spec;
  private final GroupDecoder decoder;
  private final OutputTimestamps timestamps;
  private CombineFunction function;

  WholeCombineOperator(CombineSpec spec) {
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
    InputStream keyBytes = group.key();
    Object key = decoder.readKey(keyBytes);
    BoundedWindow window = decoder.readWindow(keyBytes);
    function.enter(window);
    Instant timestamp = null;
    Object accumulator = function.create();
    ValueCursor cursor = group.valuesOnce();
    while (cursor.next()) {
      InputStream value = cursor.value();
      if (decoder.grouping().timestamps()) {
        timestamp = timestamps.add(timestamp, decoder.readTimestamp(value));
      }
      accumulator = function.add(accumulator, decoder.readValue(value));
    }
    output()
        .accept(
            WindowedValues.of(
                KV.of(key, function.extract(accumulator)),
                timestamps.of(window, timestamp),
                window,
                PaneInfo.ON_TIME_AND_ONLY_FIRING));
  }
}
