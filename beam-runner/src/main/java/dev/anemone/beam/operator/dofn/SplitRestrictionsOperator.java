// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.operator.step.JobOptions;
import dev.anemone.beam.operator.step.StepElementOperator;
import dev.anemone.beam.operator.step.UserFailures;
import dev.anemone.beam.sideinput.SideInputs;
import dev.anemone.beam.spec.ParDoSpec;
import dev.anemone.runtime.spi.OperatorContext;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.DoFn.OutputReceiver;
import org.apache.beam.sdk.transforms.reflect.DoFnInvoker;
import org.apache.beam.sdk.transforms.reflect.DoFnInvokers;
import org.apache.beam.sdk.transforms.reflect.DoFnSignatures;
import org.apache.beam.sdk.transforms.splittabledofn.RestrictionTracker;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.OutputBuilder;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;

/**
 * Makes the restriction of each element and window, splits it as the splittable DoFn says, and
 * outputs each part with the element. The parts are all that the job will have: tasks that run are
 * not split. A DoFn whose restrictions may be unbounded is asked for each one, and the job fails
 * where one is.
 */
public final class SplitRestrictionsOperator extends StepElementOperator {

  private final ParDoSpec spec;
  private final DoFn<Object, Object> doFn;

  private final boolean mayBeUnbounded;

  private ElementScope scope;
  private DoFnInvoker<Object, Object> invoker;
  private RestrictionArguments arguments;

  @SuppressWarnings("unchecked") // the pipeline applied it to elements of the right type
  public SplitRestrictionsOperator(ParDoSpec spec) {
    super(spec.stepName());
    this.spec = spec;
    this.doFn = (DoFn<Object, Object>) spec.doFn();
    this.mayBeUnbounded =
        DoFnSignatures.signatureForDoFn(doFn).isBoundedPerElement() == IsBounded.UNBOUNDED;
  }

  @Override
  protected void start(OperatorContext context) throws Exception {
    PipelineOptions options = JobOptions.of(context);
    scope = new ElementScope(doFn);
    DoFnOutputs outputs = new DoFnOutputs(spec, context, scope);
    CommitFinalizer finalizer = new CommitFinalizer(context);
    SideInputs sideInputs = new SideInputs(spec.sideInputs(), context);
    invoker = DoFnInvokers.invokerFor(doFn);
    arguments =
        new SplitArguments(invoker, doFn, spec, scope, outputs, sideInputs, finalizer, options);
    invoker.invokeSetup(new BundleArguments(doFn, outputs, finalizer, options));
  }

  @Override
  protected void process(WindowedValue<Object> element) {
    for (WindowedValue<Object> inWindow : element.explodeWindows()) {
      scope.set(inWindow);
      arguments.setRestriction(null);
      arguments.setRestriction(invoker.invokeGetInitialRestriction(arguments));
      if (mayBeUnbounded) {
        checkBounded(inWindow);
      }
      invoker.invokeSplitRestriction(arguments);
    }
  }

  private void checkBounded(WindowedValue<Object> element) {
    if (arguments.tracker().isBounded() == RestrictionTracker.IsBounded.UNBOUNDED) {
      throw new IllegalArgumentException(
          "Step '"
              + stepName()
              + "' would never end: its splittable DoFn "
              + doFn.getClass().getName()
              + " has an unbounded restriction, "
              + arguments.restriction()
              + ", for the element "
              + element.getValue()
              + ". Give it an end, or run the pipeline on a runner for unbounded input.");
    }
  }

  @Override
  protected void release() {
    if (invoker != null) {
      invoker.invokeTeardown();
    }
  }

  /** Takes restrictions where a process method gives outputs. */
  private final class SplitArguments extends RestrictionArguments {

    private final OutputReceiver<Object> parts = this::builderOf;

    SplitArguments(
        DoFnInvoker<Object, Object> invoker,
        DoFn<Object, Object> doFn,
        ParDoSpec spec,
        ElementScope scope,
        DoFnOutputs outputs,
        SideInputs sideInputs,
        CommitFinalizer bundleFinalizer,
        PipelineOptions options) {
      super(invoker, doFn, spec, scope, outputs, sideInputs, bundleFinalizer, options);
    }

    private OutputBuilder<Object> builderOf(Object part) {
      return WindowedValues.builder(scope.element()).withValue(part).setReceiver(this::emit);
    }

    private void emit(WindowedValue<Object> part) {
      try {
        output().accept(part.withValue(KV.of(scope.element().getValue(), part.getValue())));
      } catch (Exception e) {
        throw UserFailures.passThrough(e);
      }
    }

    @Override
    public OutputReceiver<Object> outputReceiver(DoFn<Object, Object> fn) {
      return parts;
    }
  }
}
