// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.group;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.spec.GroupByKeySpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.ir.IREdge;
import dev.anemone.runtime.spi.GroupOperator;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.ValueCursor;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;

/** Hands on what a shuffle by key brings, as the elements that went into it. */
public final class ReshuffleByKeyOperator implements GroupOperator {

  private final GroupDecoder decoder;
  private Receiver output;

  public ReshuffleByKeyOperator(GroupByKeySpec spec) {
    this.decoder =
        new GroupDecoder(
            GroupingSpec.ofWholeKeys(),
            spec.keyCoder(),
            spec.valueCoder(),
            spec.windowing().getWindowFn().windowCoder());
  }

  @Override
  public void open(OperatorContext context) {
    output = context.output(IREdge.MAIN);
  }

  @Override
  public void acceptGroup(KeyGroup group) throws Exception {
    Object key = decoder.readKey(group.key());
    ValueCursor values = group.valuesOnce();
    while (values.next()) {
      WindowedValue<Object> value = decoder.readElement(values.value());
      output.accept(value.withValue(KV.of(key, value.getValue())));
    }
  }

  @Override
  public void finish() {}

  @Override
  public void close() {}
}
