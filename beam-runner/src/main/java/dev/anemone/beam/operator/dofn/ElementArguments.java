// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.operator.step.Windows;
import dev.anemone.beam.sideinput.SideInputs;
import dev.anemone.beam.spec.ParDoSpec;
import java.util.Collection;
import java.util.Map;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.DoFn.BundleFinalizer;
import org.apache.beam.sdk.transforms.DoFn.MultiOutputReceiver;
import org.apache.beam.sdk.transforms.DoFn.OutputReceiver;
import org.apache.beam.sdk.transforms.DoFnSchemaInformation;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.transforms.reflect.DoFnInvoker;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.joda.time.Instant;

/**
 * What a process method may ask for: parameters, and the older process context. Beam's own runner
 * makes such an object for each element; here one serves all elements of a task, and looks at the
 * element in scope.
 */
class ElementArguments extends DoFnInvoker.BaseArgumentProvider<Object, Object> {

  private final ElementScope scope;
  private final DoFnOutputs outputs;
  private final SideInputs sideInputs;
  private final BundleFinalizer bundleFinalizer;
  private final PipelineOptions options;
  private final Map<String, PCollectionView<?>> sideInputMapping;
  private final DoFnSchemaInformation schemaInformation;
  private final Context context;

  ElementArguments(
      DoFn<Object, Object> doFn,
      ParDoSpec spec,
      ElementScope scope,
      DoFnOutputs outputs,
      SideInputs sideInputs,
      BundleFinalizer bundleFinalizer,
      PipelineOptions options) {
    this.scope = scope;
    this.outputs = outputs;
    this.sideInputs = sideInputs;
    this.bundleFinalizer = bundleFinalizer;
    this.options = options;
    this.sideInputMapping = spec.sideInputMapping();
    this.schemaInformation = spec.schemaInformation();
    this.context = new Context(doFn);
  }

  private <T> T sideInput(PCollectionView<T> view) {
    return sideInputs.getForMainWindow(view, window());
  }

  @Override
  public DoFn<Object, Object>.ProcessContext processContext(DoFn<Object, Object> doFn) {
    return context;
  }

  @Override
  public Object element(DoFn<Object, Object> doFn) {
    return scope.element().getValue();
  }

  @Override
  public Object schemaElement(int index) {
    @SuppressWarnings("unchecked") // Beam made the converters for this input
    SerializableFunction<Object, Object> converter =
        (SerializableFunction<Object, Object>) schemaInformation.getElementConverters().get(index);
    return converter.apply(scope.element().getValue());
  }

  @Override
  public Instant timestamp(DoFn<Object, Object> doFn) {
    return scope.element().getTimestamp();
  }

  @Override
  public BoundedWindow window() {
    return Windows.single(scope.element());
  }

  @Override
  public PaneInfo paneInfo(DoFn<Object, Object> doFn) {
    return scope.element().getPaneInfo();
  }

  @Override
  public PipelineOptions pipelineOptions() {
    return options;
  }

  @Override
  public Object sideInput(String tagId) {
    PCollectionView<?> view = sideInputMapping.get(tagId);
    if (view == null) {
      throw new IllegalStateException("Side input tag " + tagId + " not found");
    }
    return sideInput(view);
  }

  @Override
  public OutputReceiver<Object> outputReceiver(DoFn<Object, Object> doFn) {
    return outputs.main();
  }

  @Override
  public OutputReceiver<Row> outputRowReceiver(DoFn<Object, Object> doFn) {
    return outputs.mainRows();
  }

  @Override
  public MultiOutputReceiver taggedOutputReceiver(DoFn<Object, Object> doFn) {
    return outputs;
  }

  @Override
  public BundleFinalizer bundleFinalizer() {
    return bundleFinalizer;
  }

  @Override
  public String getErrorContext() {
    return "@ProcessElement of a DoFn without state and timers";
  }

  /** The same, in the form that came before parameters. */
  private final class Context extends DoFn<Object, Object>.ProcessContext {

    Context(DoFn<Object, Object> doFn) {
      doFn.super();
    }

    @Override
    public Object element() {
      return scope.element().getValue();
    }

    @Override
    public <T> T sideInput(PCollectionView<T> view) {
      return ElementArguments.this.sideInput(view);
    }

    @Override
    public Instant timestamp() {
      return scope.element().getTimestamp();
    }

    @Override
    public PaneInfo pane() {
      return scope.element().getPaneInfo();
    }

    @Override
    public String currentRecordId() {
      return scope.element().getRecordId();
    }

    @Override
    public Long currentRecordOffset() {
      return scope.element().getRecordOffset();
    }

    @Override
    public PipelineOptions getPipelineOptions() {
      return options;
    }

    @Override
    public void output(Object value) {
      outputs.main().output(value);
    }

    @Override
    public void outputWithTimestamp(Object value, Instant timestamp) {
      outputs.main().outputWithTimestamp(value, timestamp);
    }

    @Override
    public void outputWindowedValue(
        Object value,
        Instant timestamp,
        Collection<? extends BoundedWindow> windows,
        PaneInfo paneInfo) {
      outputs.main().outputWindowedValue(value, timestamp, windows, paneInfo);
    }

    @Override
    public <T> void output(TupleTag<T> tag, T value) {
      outputs.output(tag).output(value);
    }

    @Override
    public <T> void outputWithTimestamp(TupleTag<T> tag, T value, Instant timestamp) {
      outputs.output(tag).outputWithTimestamp(value, timestamp);
    }

    @Override
    public <T> void outputWindowedValue(
        TupleTag<T> tag,
        T value,
        Instant timestamp,
        Collection<? extends BoundedWindow> windows,
        PaneInfo paneInfo) {
      outputs.output(tag).outputWindowedValue(value, timestamp, windows, paneInfo);
    }
  }
}
