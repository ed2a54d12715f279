// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.operator.step.JobOptions;
import dev.anemone.beam.operator.step.StepElementOperator;
import dev.anemone.beam.sideinput.SideInputs;
import dev.anemone.beam.spec.ParDoSpec;
import dev.anemone.runtime.spi.OperatorContext;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.DoFn.ProcessContinuation;
import org.apache.beam.sdk.transforms.reflect.DoFnInvoker;
import org.apache.beam.sdk.transforms.reflect.DoFnInvokers;
import org.apache.beam.sdk.transforms.splittabledofn.RestrictionTracker;
import org.apache.beam.sdk.transforms.splittabledofn.SplitResult;
import org.apache.beam.sdk.transforms.splittabledofn.WatermarkEstimator;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * Processes restrictions with a bounded splittable DoFn. What its watermark estimator says is kept
 * for it but otherwise of no use, since in a batch nobody waits for a watermark.
 *
 * <p>A bundle ends where the DoFn wants to be resumed; else all elements of a task are one bundle.
 * All bundles of a task are finalized together, after its commit.
 */
abstract class RestrictionsOperator extends StepElementOperator {

  private final ParDoSpec spec;
  private final DoFn<Object, Object> doFn;

  private ElementScope scope;
  private DoFnInvoker<Object, Object> invoker;
  private RestrictionArguments arguments;
  private BundleArguments bundleArguments;
  private CommitFinalizer bundleFinalizer;

  @SuppressWarnings("unchecked") // the pipeline applied it to elements of the right type
  RestrictionsOperator(ParDoSpec spec) {
    super(spec.stepName());
    this.spec = spec;
    this.doFn = (DoFn<Object, Object>) spec.doFn();
  }

  @Override
  protected void start(OperatorContext context) throws Exception {
    PipelineOptions options = JobOptions.of(context);
    bundleFinalizer = new CommitFinalizer(context);
    scope = new ElementScope(doFn);
    DoFnOutputs outputs = new DoFnOutputs(spec, context, scope);
    SideInputs sideInputs = new SideInputs(spec.sideInputs(), context);
    invoker = DoFnInvokers.invokerFor(doFn);
    arguments =
        new RestrictionArguments(
            invoker, doFn, spec, scope, outputs, sideInputs, bundleFinalizer, options);
    bundleArguments = new BundleArguments(doFn, outputs, bundleFinalizer, options);
    invoker.invokeSetup(bundleArguments);
    invoker.invokeStartBundle(bundleArguments);
  }

  /** What the DoFn's methods get. */
  final RestrictionArguments arguments() {
    return arguments;
  }

  /** The next restriction to process, of an element, from its beginning. */
  final void begin(WindowedValue<Object> element, Object restriction) {
    scope.set(element);
    arguments.setRestriction(restriction);
    arguments.newEstimator(invoker.invokeGetInitialWatermarkEstimatorState(arguments));
  }

  /** The next restriction to process, after one that was left in this state. */
  final void begin(WindowedValue<Object> element, Object restriction, Object estimatorState) {
    scope.set(element);
    arguments.setRestriction(restriction);
    arguments.newEstimator(estimatorState);
  }

  /** Processes the restriction until nothing of it is left. */
  final void processToEnd() throws Exception {
    while (processOnce()) {
      continueInNewBundle();
    }
  }

  /** Begins a bundle for what is left of the element, after its delay. */
  final void continueInNewBundle() throws Exception {
    invoker.invokeFinishBundle(bundleArguments);
    invoker.invokeStartBundle(bundleArguments);
    arguments.newEstimator(estimatorState());
  }

  /** Whether the DoFn waits for the task's commit, or will. */
  final boolean awaitsCommit() {
    return bundleFinalizer.isAsked();
  }

  /** The state that the watermark estimator is in. */
  final Object estimatorState() {
    WatermarkEstimator<Object> estimator = arguments.estimator();
    // An estimator may bring its state up to date only when it is asked for the watermark.
    estimator.currentWatermark();
    return estimator.getState();
  }

  /**
   * Lets the DoFn process the restriction until it returns, and waits as long as it wants to.
   *
   * @return whether something of the restriction is left; it is the restriction then
   */
  final boolean processOnce() throws InterruptedException {
    ProcessContinuation continuation = invoker.invokeProcessElement(arguments);
    RestrictionTracker<Object, Object> tracker = arguments.tracker();
    if (continuation.shouldResume()) {
      SplitResult<Object> split = tracker.trySplit(0);
      if (split != null) {
        tracker.checkDone();
        arguments.setRestriction(split.getResidual());
        Thread.sleep(continuation.resumeDelay().getMillis());
        return true;
      }
    }
    tracker.checkDone();
    return false;
  }

  @Override
  protected void end() throws Exception {
    invoker.invokeFinishBundle(bundleArguments);
  }

  @Override
  protected void release() {
    if (invoker != null) {
      invoker.invokeTeardown();
    }
  }
}
