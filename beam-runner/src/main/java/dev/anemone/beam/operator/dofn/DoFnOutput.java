// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.operator.step.UserFailures;
import dev.anemone.runtime.spi.Receiver;
import java.util.Collection;
import org.apache.beam.sdk.transforms.DoFn.OutputReceiver;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.util.WindowedValueReceiver;
import org.apache.beam.sdk.values.OutputBuilder;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Instant;

/**
 * One output of a DoFn: gives values the timestamp, windows and pane of the element in scope unless
 * told otherwise, and hands them to the consumers.
 */
final class DoFnOutput<T> implements OutputReceiver<T> {

  private final Receiver receiver;
  private final ElementScope scope;
  private final WindowedValueReceiver<T> checked = this::emitChecked;

  DoFnOutput(Receiver receiver, ElementScope scope) {
    this.receiver = receiver;
    this.scope = scope;
  }

  @Override
  public void output(T value) {
    emit(scope.element().withValue(value));
  }

  @Override
  public void outputWithTimestamp(T value, Instant timestamp) {
    WindowedValue<Object> element = scope.element();
    scope.checkTimestamp(timestamp);
    emit(WindowedValues.of(value, timestamp, element.getWindows(), element.getPaneInfo()));
  }

  @Override
  public void outputWindowedValue(
      T value, Instant timestamp, Collection<? extends BoundedWindow> windows, PaneInfo paneInfo) {
    scope.checkTimestamp(timestamp);
    emit(WindowedValues.of(value, timestamp, windows, paneInfo));
  }

  @Override
  public OutputBuilder<T> builder(T value) {
    return WindowedValues.builder(scope.element()).withValue(value).setReceiver(checked);
  }

  private void emitChecked(WindowedValue<T> element) {
    scope.checkTimestamp(element.getTimestamp());
    emit(element);
  }

  /** Hands on an element that needs no check. */
  void emit(WindowedValue<T> element) {
    try {
      receiver.accept(element);
    } catch (Exception e) {
      throw UserFailures.passThrough(e);
    }
  }
}
