// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.sideinput.SideInputs;
import dev.anemone.beam.spec.ParDoSpec;
import org.apache.beam.sdk.fn.splittabledofn.RestrictionTrackers;
import org.apache.beam.sdk.fn.splittabledofn.RestrictionTrackers.ClaimObserver;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.DoFn.BundleFinalizer;
import org.apache.beam.sdk.transforms.reflect.DoFnInvoker;
import org.apache.beam.sdk.transforms.splittabledofn.RestrictionTracker;
import org.apache.beam.sdk.transforms.splittabledofn.WatermarkEstimator;

/**
 * What the methods of a splittable DoFn may ask for beside the element: its restriction, and what
 * was made for that. One object serves all elements of a task.
 */
class RestrictionArguments extends ElementArguments {

  private final DoFnInvoker<Object, Object> invoker;
  private Object restriction;
  private RestrictionTracker<Object, Object> tracker;
  private ClaimObserver<Object> observer;
  private Object estimatorState;
  private WatermarkEstimator<Object> estimator;

  RestrictionArguments(
      DoFnInvoker<Object, Object> invoker,
      DoFn<Object, Object> doFn,
      ParDoSpec spec,
      ElementScope scope,
      DoFnOutputs outputs,
      SideInputs sideInputs,
      BundleFinalizer bundleFinalizer,
      PipelineOptions options) {
    super(doFn, spec, scope, outputs, sideInputs, bundleFinalizer, options);
    this.invoker = invoker;
  }

  /** The restriction that the methods get from now on. */
  final void setRestriction(Object newRestriction) {
    restriction = newRestriction;
    tracker = null;
  }

  /**
   * The trackers that are made from now on tell an observer of each claim.
   *
   * @param newObserver null for none
   */
  final void observeClaims(ClaimObserver<Object> newObserver) {
    observer = newObserver;
  }

  /** A tracker for the restriction; the same one until the restriction changes. */
  final RestrictionTracker<Object, Object> tracker() {
    if (tracker == null) {
      tracker = invoker.invokeNewTracker(this);
      if (observer != null) {
        tracker = RestrictionTrackers.observe(tracker, observer);
      }
    }
    return tracker;
  }

  /** Makes a watermark estimator with this state. */
  final void newEstimator(Object state) {
    estimatorState = state;
    estimator = invoker.invokeNewWatermarkEstimator(this);
  }

  final WatermarkEstimator<Object> estimator() {
    return estimator;
  }

  @Override
  public Object restriction() {
    return restriction;
  }

  @Override
  public RestrictionTracker<?, ?> restrictionTracker() {
    return tracker();
  }

  @Override
  public Object watermarkEstimatorState() {
    return estimatorState;
  }

  @Override
  public WatermarkEstimator<?> watermarkEstimator() {
    return estimator;
  }

  @Override
  public String getErrorContext() {
    return "a method of a splittable DoFn";
  }
}
