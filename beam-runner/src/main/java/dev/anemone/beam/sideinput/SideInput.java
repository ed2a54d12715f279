// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.beam.operator.step.UserFailures;
import dev.anemone.runtime.spi.OperatorContext;
import java.util.HashMap;
import java.util.Map;
import org.apache.beam.sdk.transforms.ViewFn;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.PCollectionView;

/** One side input of one operator in one task: a value for each of its windows. */
final class SideInput {

  private final PCollectionView<?> view;
  private final OperatorContext context;
  private final Map<BoundedWindow, Object> values = new HashMap<>();

  private SideInputContents contents;
  private BoundedWindow lastMainWindow;
  private Object lastValue;

  SideInput(PCollectionView<?> view, OperatorContext context) {
    this.view = view;
    this.context = context;
  }

  /** The value for an element in a window of the main input. */
  Object getForMainWindow(BoundedWindow mainWindow) {
    if (!mainWindow.equals(lastMainWindow)) {
      lastValue = get(view.getWindowMappingFn().getSideInputWindow(mainWindow));
      lastMainWindow = mainWindow;
    }
    return lastValue;
  }

  /** The value for a window of the side input. */
  Object get(BoundedWindow window) {
    Object value = values.get(window);
    if (value == null && !values.containsKey(window)) {
      @SuppressWarnings("unchecked") // the contents were read as the view's function wants them
      ViewFn<Object, Object> viewFn = (ViewFn<Object, Object>) Views.function(view);
      value = viewFn.apply(contents().in(window));
      values.put(window, value);
    }
    return value;
  }

  private SideInputContents contents() {
    if (contents == null) {
      try {
        contents =
            context.shared(
                "beam-side-input " + Views.tag(view).getId(),
                () -> SideInputSource.of(view).read(context));
      } catch (Exception e) {
        throw UserFailures.passThrough(e);
      }
    }
    return contents;
  }
}
