// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.operator.group.OutputTimestamps;
import dev.anemone.beam.operator.step.StepGroupOperator;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.runtime.spi.OperatorContext;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Instant;

/** Combines what it gets of a key to results. */
abstract class CombineGroupOperator extends StepGroupOperator {

  final GroupDecoder decoder;
  final OutputTimestamps timestamps;

  /** There from the start on. */
  CombineFunction function;

  private final CombineSpec spec;

  /**
   * An operator.
   *
   * @param valueCoder codes what it gets
   */
  CombineGroupOperator(CombineSpec spec, Coder<?> valueCoder) {
    super(spec.stepName());
    this.spec = spec;
    this.decoder =
        new GroupDecoder(
            GroupingSpec.of(spec.windowing()),
            spec.coders().key(),
            valueCoder,
            spec.windowing().getWindowFn().windowCoder());
    this.timestamps = new OutputTimestamps(spec.windowing());
  }

  @Override
  protected final void start(OperatorContext context) throws Exception {
    function = new CombineFunction(spec, context);
  }

  /**
   * The result for a key and window, which the function has entered.
   *
   * @param timestamp what the values' timestamps make, null where nothing depends on them
   */
  final WindowedValue<Object> result(
      Object key, BoundedWindow window, Instant timestamp, Object accumulator) throws Exception {
    return WindowedValues.of(
        KV.of(key, function.extract(accumulator)),
        timestamps.of(window, timestamp),
        window,
        PaneInfo.ON_TIME_AND_ONLY_FIRING);
  }
}
