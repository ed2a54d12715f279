// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.spec.ParDoSpec;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * Processes pairs of an element and a restriction, each until nothing of the restriction is left:
 * where the DoFn wants to be resumed, it is, after its delay.
 */
public final class ProcessRestrictionsOperator extends RestrictionsOperator {

  public ProcessRestrictionsOperator(ParDoSpec spec) {
    super(spec);
  }

  @Override
  protected void process(WindowedValue<Object> element) throws Exception {
    KV<?, ?> pair = (KV<?, ?>) element.getValue();
    begin(element.withValue(pair.getKey()), pair.getValue());
    processToEnd();
  }
}
