// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.step;

import dev.anemone.runtime.spi.ElementOperator;
import org.apache.beam.sdk.metrics.MetricsContainer;
import org.apache.beam.sdk.util.UserCodeException;
import org.apache.beam.sdk.values.WindowedValue;

/** A step that takes elements one by one. */
public abstract class StepElementOperator extends StepOperator implements ElementOperator {

  protected StepElementOperator(String stepName) {
    super(stepName);
  }

  /** A step that goes by the name of its vertex. */
  protected StepElementOperator() {}

  /** Processes one element. */
  protected abstract void process(WindowedValue<Object> element) throws Exception;

  @Override
  @SuppressWarnings("unchecked") // every element of a fused chain is a windowed value
  public final void accept(Object element) throws Exception {
    MetricsContainer caller = metrics().enter();
    try {
      process((WindowedValue<Object>) element);
    } catch (UserCodeException e) {
      throw UserFailures.unwrap(e);
    } finally {
      metrics().leave(caller);
    }
  }
}
