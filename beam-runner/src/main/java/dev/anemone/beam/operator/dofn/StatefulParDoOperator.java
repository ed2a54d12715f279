// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.operator.step.JobOptions;
import dev.anemone.beam.operator.step.StepGroupOperator;
import dev.anemone.beam.operator.step.Windows;
import dev.anemone.beam.sideinput.SideInputs;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.beam.spec.ParDoSpec;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.ValueCursor;
import org.apache.beam.runners.core.DoFnRunner;
import org.apache.beam.runners.core.DoFnRunners;
import org.apache.beam.runners.core.StateInternals;
import org.apache.beam.runners.core.StepContext;
import org.apache.beam.runners.core.TimerInternals;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.DoFn.BundleFinalizer;
import org.apache.beam.sdk.transforms.reflect.DoFnInvoker;
import org.apache.beam.sdk.transforms.reflect.DoFnInvokers;
import org.apache.beam.sdk.transforms.reflect.DoFnSignature;
import org.apache.beam.sdk.transforms.reflect.DoFnSignatures;
import org.apache.beam.sdk.util.WindowedValueMultiReceiver;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * Runs a DoFn with state or timers, key by key. The elements of a key stream past; what is held is
 * its state, in the heap, until the key is done. All keys of a task are one bundle.
 */
public final class StatefulParDoOperator extends StepGroupOperator {

  private final ParDoSpec spec;
  private final DoFn<Object, Object> doFn;
  private final GroupDecoder decoder;
  private final boolean timeSorted;
  private final boolean callsExpiration;

  private DoFnInvoker<Object, Object> invoker;
  private BundleArguments bundleArguments;
  private CommitFinalizer bundleFinalizer;
  private DoFnRunner<Object, Object> runner;
  private TimeOrder timeOrder;
  private KeyState<Object> keyState;

  @SuppressWarnings("unchecked") // the pipeline applied it to elements of the right type
  public StatefulParDoOperator(ParDoSpec spec) {
    super(spec.stepName());
    this.spec = spec;
    this.doFn = (DoFn<Object, Object>) spec.doFn();
    KvCoder<?, ?> coder = (KvCoder<?, ?>) spec.inputCoder();
    this.decoder =
        new GroupDecoder(
            GroupingSpec.ofWholeKeys(),
            coder.getKeyCoder(),
            coder.getValueCoder(),
            spec.windowing().getWindowFn().windowCoder());
    DoFnSignature signature = DoFnSignatures.signatureForDoFn(doFn);
    this.timeSorted = signature.processElement().requiresTimeSortedInput();
    this.callsExpiration = signature.onWindowExpiration() != null;
  }

  @Override
  @SuppressWarnings("unchecked") // the pipeline applied it to elements of the right type
  protected void start(OperatorContext context) throws Exception {
    PipelineOptions options = JobOptions.of(context);
    bundleFinalizer = new CommitFinalizer(context);
    // The outputs' own checks of timestamps are not used: the runner does them.
    DoFnOutputs outputs = new DoFnOutputs(spec, context, new ElementScope(doFn));
    bundleArguments = new BundleArguments(doFn, outputs, bundleFinalizer, options);
    timeOrder = TimeOrder.of(decoder, context);
    runner =
        DoFnRunners.simpleRunner(
            options,
            doFn,
            new SideInputs(spec.sideInputs(), context),
            receiverOf(outputs),
            (TupleTag<Object>) spec.outputs().main(),
            spec.outputs().additional(),
            new CurrentKey(),
            (Coder<Object>) spec.inputCoder(),
            spec.outputs().coders(),
            spec.windowing(),
            spec.schemaInformation(),
            spec.sideInputMapping());
    invoker = DoFnInvokers.invokerFor(doFn);
    invoker.invokeSetup(bundleArguments);
    invoker.invokeStartBundle(bundleArguments);
  }

  private static WindowedValueMultiReceiver receiverOf(DoFnOutputs outputs) {
    return new WindowedValueMultiReceiver() {
      @Override
      public <T> void output(TupleTag<T> tag, WindowedValue<T> element) {
        outputs.output(tag).emit(element);
      }
    };
  }

  @Override
  protected void process(KeyGroup group) throws Exception {
    Object key = decoder.readKey(group.key());
    keyState = new KeyState<>(key, spec.windowing().getAllowedLateness());
    if (timeSorted) {
      timeOrder.forEach(group.replayableValues(), element -> process(key, element));
    } else {
      ValueCursor cursor = group.valuesOnce();
      while (cursor.next()) {
        process(key, decoder.readElement(cursor.value()));
      }
    }
    keyState.finish(callsExpiration, runner);
    keyState = null;
  }

  private void process(Object key, WindowedValue<Object> value) {
    WindowedValue<Object> element = value.withValue(KV.of(key, value.getValue()));
    if (Windows.isSingle(element)) {
      keyState.process(element, runner);
      return;
    }
    for (WindowedValue<Object> inWindow : element.explodeWindows()) {
      keyState.process(inWindow, runner);
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

  /** What Beam's runner asks for while it processes a key. */
  private final class CurrentKey implements StepContext {

    @Override
    public StateInternals stateInternals() {
      return keyState.current();
    }

    @Override
    public TimerInternals timerInternals() {
      return keyState.timers();
    }

    @Override
    public BundleFinalizer bundleFinalizer() {
      return bundleFinalizer;
    }
  }
}
