// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.runtime.spi.OperatorContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.runners.core.SideInputReader;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;

/**
 * The side inputs of one operator in one task. Each is read when its first value is asked for. The
 * contents are shared by all tasks of the job in this JVM, the views on them are not, because Beam
 * does not ask a view to be thread-safe.
 */
public final class SideInputs implements SideInputReader {

  /** Those of an operator that has none. */
  public static final SideInputs NONE = new SideInputs(List.of(), null);

  private final Map<TupleTag<?>, SideInput> byTag = new HashMap<>();

  private PCollectionView<?> lastView;
  private SideInput lastSideInput;

  public SideInputs(List<PCollectionView<?>> views, OperatorContext context) {
    for (PCollectionView<?> view : views) {
      byTag.put(Views.tag(view), new SideInput(view, context));
    }
  }

  /** The value of a view for an element in this window of the main input. */
  public <T> T getForMainWindow(PCollectionView<T> view, BoundedWindow mainWindow) {
    SideInput sideInput = find(view);
    @SuppressWarnings("unchecked") // the view's function makes what the view is of
    T value = (T) sideInput.getForMainWindow(mainWindow);
    return value;
  }

  @Override
  public <T> T get(PCollectionView<T> view, BoundedWindow window) {
    SideInput sideInput = find(view);
    @SuppressWarnings("unchecked") // the view's function makes what the view is of
    T value = (T) sideInput.get(window);
    return value;
  }

  private SideInput find(PCollectionView<?> view) {
    if (view != lastView) {
      if (!contains(view)) {
        throw new IllegalArgumentException(
            "calling sideInput() with unknown view; name it in withSideInputs");
      }
      lastView = view;
      lastSideInput = byTag.get(Views.tag(view));
    }
    return lastSideInput;
  }

  @Override
  public <T> boolean contains(PCollectionView<T> view) {
    return view != null && byTag.containsKey(Views.tag(view));
  }

  @Override
  public boolean isEmpty() {
    return byTag.isEmpty();
  }
}
