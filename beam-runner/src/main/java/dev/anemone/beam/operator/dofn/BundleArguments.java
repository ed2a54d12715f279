// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.DoFn.BundleFinalizer;
import org.apache.beam.sdk.transforms.reflect.DoFnInvoker;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Instant;

/** What the set-up, start-bundle and finish-bundle methods of a DoFn may ask for. */
final class BundleArguments extends DoFnInvoker.BaseArgumentProvider<Object, Object> {

  private final DoFn<Object, Object> doFn;
  private final DoFnOutputs outputs;
  private final BundleFinalizer bundleFinalizer;
  private final PipelineOptions options;

  BundleArguments(
      DoFn<Object, Object> doFn,
      DoFnOutputs outputs,
      BundleFinalizer bundleFinalizer,
      PipelineOptions options) {
    this.doFn = doFn;
    this.outputs = outputs;
    this.bundleFinalizer = bundleFinalizer;
    this.options = options;
  }

  @Override
  public PipelineOptions pipelineOptions() {
    return options;
  }

  @Override
  public BundleFinalizer bundleFinalizer() {
    return bundleFinalizer;
  }

  @Override
  public DoFn<Object, Object>.StartBundleContext startBundleContext(DoFn<Object, Object> fn) {
    return new Start();
  }

  @Override
  public DoFn<Object, Object>.FinishBundleContext finishBundleContext(DoFn<Object, Object> fn) {
    return new Finish();
  }

  @Override
  public String getErrorContext() {
    return "@Setup, @StartBundle or @FinishBundle";
  }

  private final class Start extends DoFn<Object, Object>.StartBundleContext {

    Start() {
      doFn.super();
    }

    @Override
    public PipelineOptions getPipelineOptions() {
      return options;
    }
  }

  private final class Finish extends DoFn<Object, Object>.FinishBundleContext {

    Finish() {
      doFn.super();
    }

    @Override
    public PipelineOptions getPipelineOptions() {
      return options;
    }

    @Override
    public void output(Object value, Instant timestamp, BoundedWindow window) {
      outputs.main().emit(WindowedValues.of(value, timestamp, window, PaneInfo.NO_FIRING));
    }

    @Override
    public <T> void output(TupleTag<T> tag, T value, Instant timestamp, BoundedWindow window) {
      outputs.output(tag).emit(WindowedValues.of(value, timestamp, window, PaneInfo.NO_FIRING));
    }
  }
}
