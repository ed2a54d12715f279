// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.step;

import dev.anemone.beam.spec.AssignWindowsSpec;
import dev.anemone.runtime.spi.OperatorContext;
import java.util.Collection;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Instant;

/**
 * Gives elements new windows. An element in several windows stands for that many elements, each of
 * which gets new windows by itself.
 */
public final class AssignWindowsOperator extends StepElementOperator {

  private final WindowFn<Object, BoundedWindow> windowFn;
  private final CurrentElement current;

  @SuppressWarnings("unchecked") // the pipeline applied it to elements of the right type
  public AssignWindowsOperator(AssignWindowsSpec spec) {
    this.windowFn = (WindowFn<Object, BoundedWindow>) spec.windowFn();
    this.current = new CurrentElement(windowFn);
  }

  @Override
  protected void start(OperatorContext context) {}

  @Override
  protected void process(WindowedValue<Object> element) throws Exception {
    if (Windows.isSingle(element)) {
      assign(element);
    } else {
      for (WindowedValue<Object> inWindow : element.explodeWindows()) {
        assign(inWindow);
      }
    }
  }

  private void assign(WindowedValue<Object> element) throws Exception {
    current.element = element;
    Collection<BoundedWindow> windows = windowFn.assignWindows(current);
    output()
        .accept(
            WindowedValues.of(
                element.getValue(), element.getTimestamp(), windows, element.getPaneInfo()));
  }

  /** The element that the function looks at; one object serves all elements. */
  private static final class CurrentElement extends WindowFn<Object, BoundedWindow>.AssignContext {

    private WindowedValue<Object> element;

    CurrentElement(WindowFn<Object, BoundedWindow> windowFn) {
      windowFn.super();
    }

    @Override
    public Object element() {
      return element.getValue();
    }

    @Override
    public Instant timestamp() {
      return element.getTimestamp();
    }

    @Override
    public BoundedWindow window() {
      return Windows.single(element);
    }
  }
}
