// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.step;

import dev.anemone.runtime.spi.GroupOperator;
import dev.anemone.runtime.spi.KeyGroup;
import org.apache.beam.sdk.metrics.MetricsContainer;
import org.apache.beam.sdk.util.UserCodeException;

/** A step that takes groups of a keyed shuffle. */
public abstract class StepGroupOperator extends StepOperator implements GroupOperator {

  protected StepGroupOperator(String stepName) {
    super(stepName);
  }

  /** Processes one group. */
  protected abstract void process(KeyGroup group) throws Exception;

  @Override
  public final void acceptGroup(KeyGroup group) throws Exception {
    MetricsContainer caller = metrics().enter();
    try {
      process(group);
    } catch (UserCodeException e) {
      throw UserFailures.unwrap(e);
    } finally {
      metrics().leave(caller);
    }
  }
}
