// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import dev.anemone.beam.operator.step.StepElementOperator;
import dev.anemone.beam.operator.step.Windows;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.runtime.spi.OperatorContext;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;

/** Combines the values of elements that are grouped already. */
public final class CombineGroupedValuesOperator extends StepElementOperator {

  private final CombineSpec spec;
  private CombineFunction function;

  public CombineGroupedValuesOperator(CombineSpec spec) {
    super(spec.stepName());
    this.spec = spec;
  }

  @Override
  protected void start(OperatorContext context) throws Exception {
    function = new CombineFunction(spec, context);
  }

  @Override
  protected void process(WindowedValue<Object> element) throws Exception {
    if (Windows.isSingle(element)) {
      combine(element, Windows.single(element));
    } else {
      // A function with side inputs may give another result in each window.
      for (WindowedValue<Object> inWindow : element.explodeWindows()) {
        combine(inWindow, Windows.single(inWindow));
      }
    }
  }

  private void combine(WindowedValue<Object> element, BoundedWindow window) throws Exception {
    @SuppressWarnings("unchecked") // the input of this transform
    KV<Object, Iterable<Object>> group = (KV<Object, Iterable<Object>>) element.getValue();
    function.enter(window);
    Object accumulator = function.create();
    for (Object value : group.getValue()) {
      accumulator = function.add(accumulator, value);
    }
    output().accept(element.withValue(KV.of(group.getKey(), function.extract(accumulator))));
  }
}
