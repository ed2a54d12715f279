// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.spec.ParDoSpec;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * Processes what {@link DivideRestrictionsOperator} has left of restrictions, each part until
 * nothing of it is left.
 */
public final class ProcessRestsOperator extends RestrictionsOperator {

  public ProcessRestsOperator(ParDoSpec spec) {
    super(spec);
  }

  @Override
  protected void process(WindowedValue<Object> element) throws Exception {
    KV<?, ?> rest = (KV<?, ?>) element.getValue();
    KV<?, ?> pair = (KV<?, ?>) rest.getKey();
    begin(element.withValue(pair.getKey()), pair.getValue(), rest.getValue());
    processToEnd();
  }
}
