// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.operator.step.JobOptions;
import dev.anemone.beam.operator.step.StepElementOperator;
import dev.anemone.beam.operator.step.Windows;
import dev.anemone.beam.sideinput.SideInputs;
import dev.anemone.beam.spec.ParDoSpec;
import dev.anemone.runtime.spi.OperatorContext;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.reflect.DoFnInvoker;
import org.apache.beam.sdk.transforms.reflect.DoFnInvokers;
import org.apache.beam.sdk.transforms.reflect.DoFnSignature;
import org.apache.beam.sdk.transforms.reflect.DoFnSignatures;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * Runs a DoFn without state and timers. All elements of a task are one bundle. Where the DoFn looks
 * at the window, or has side inputs, it is called once for each window of an element.
 */
public final class ParDoOperator extends StepElementOperator {

  private final ParDoSpec spec;
  private final DoFn<Object, Object> doFn;
  private final boolean observesWindow;

  private ElementScope scope;
  private DoFnInvoker<Object, Object> invoker;
  private ElementArguments elementArguments;
  private BundleArguments bundleArguments;
  private CommitFinalizer bundleFinalizer;

  @SuppressWarnings("unchecked") // the pipeline applied it to elements of the right type
  public ParDoOperator(ParDoSpec spec) {
    super(spec.stepName());
    this.spec = spec;
    this.doFn = (DoFn<Object, Object>) spec.doFn();
    DoFnSignature signature = DoFnSignatures.signatureForDoFn(doFn);
    if (signature.usesState()
        || signature.usesTimers()
        || signature.processElement().isSplittable()) {
      throw new IllegalArgumentException(
          "The DoFn "
              + doFn.getClass().getName()
              + " of step '"
              + spec.stepName()
              + "' uses state or timers, or is splittable: it cannot run as a plain par_do.");
    }
    this.observesWindow =
        signature.processElement().observesWindow() || !spec.sideInputs().isEmpty();
  }

  @Override
  protected void start(OperatorContext context) throws Exception {
    PipelineOptions options = JobOptions.of(context);
    bundleFinalizer = new CommitFinalizer(context);
    scope = new ElementScope(doFn);
    DoFnOutputs outputs = new DoFnOutputs(spec, context, scope);
    SideInputs sideInputs = new SideInputs(spec.sideInputs(), context);
    elementArguments =
        new ElementArguments(doFn, spec, scope, outputs, sideInputs, bundleFinalizer, options);
    bundleArguments = new BundleArguments(doFn, outputs, bundleFinalizer, options);
    invoker = DoFnInvokers.invokerFor(doFn);
    invoker.invokeSetup(bundleArguments);
    invoker.invokeStartBundle(bundleArguments);
  }

  @Override
  protected void process(WindowedValue<Object> element) {
    if (observesWindow && !Windows.isSingle(element)) {
      for (WindowedValue<Object> inWindow : element.explodeWindows()) {
        scope.set(inWindow);
        invoker.invokeProcessElement(elementArguments);
      }
    } else {
      scope.set(element);
      invoker.invokeProcessElement(elementArguments);
    }
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
