// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.step;

import dev.anemone.beam.metrics.StepMetrics;
import dev.anemone.ir.IREdge;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import org.apache.beam.sdk.metrics.MetricsContainer;
import org.apache.beam.sdk.util.UserCodeException;

/**
 * What the operators of all steps have in common: metrics go to the step while its code runs, and a
 * failure surfaces as what the user's code threw.
 */
abstract class StepOperator {

  /** Null until {@link #open} for a step that goes by the name of its vertex. */
  private String stepName;

  private StepMetrics metrics;
  private Receiver output;
  private OperatorContext context;

  StepOperator(String stepName) {
    this.stepName = stepName;
  }

  /** A step that goes by the name of its vertex. */
  StepOperator() {}

  /** The receiver of the main output, from {@link #start} on. */
  protected final Receiver output() {
    return output;
  }

  /** The metrics of this step, from {@link #start} on. */
  protected final StepMetrics metrics() {
    return metrics;
  }

  protected final String stepName() {
    return stepName;
  }

  /** Prepares for input. */
  protected abstract void start(OperatorContext operatorContext) throws Exception;

  /** Outputs what is held back. */
  protected void end() throws Exception {}

  /** Releases what the step holds; called in every case. */
  protected void release() throws Exception {}

  /** Opens the operator, see {@link dev.anemone.runtime.spi.Operator#open}. */
  public final void open(OperatorContext operatorContext) throws Exception {
    context = operatorContext;
    if (stepName == null) {
      stepName = operatorContext.vertexName();
    }
    metrics = new StepMetrics(stepName, operatorContext);
    output = operatorContext.output(IREdge.MAIN);
    inStep(() -> start(operatorContext));
  }

  /** Ends the input, see {@link dev.anemone.runtime.spi.Operator#finish}. */
  public final void finish() throws Exception {
    inStep(this::end);
    metrics.report().ifPresent(context::report);
  }

  /** Closes the operator, see {@link dev.anemone.runtime.spi.Operator#close}. */
  public final void close() throws Exception {
    if (metrics != null) {
      try {
        inStep(this::release);
      } finally {
        metrics.end();
      }
    }
  }

  private void inStep(StepCode code) throws Exception {
    MetricsContainer caller = metrics.enter();
    try {
      code.run();
    } catch (UserCodeException e) {
      throw UserFailures.unwrap(e);
    } finally {
      metrics.leave(caller);
    }
  }

  /** Code that runs for the step. */
  @FunctionalInterface
  private interface StepCode {
    void run() throws Exception;
  }
}
