package dev.anemone.beam.operator;

import dev.anemone.runtime.spi.OperatorContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.beam.runners.core.InMemoryMultimapSideInputView;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.transforms.Materializations;
import org.apache.beam.sdk.transforms.Materializations.IterableView;
import org.apache.beam.sdk.transforms.Materializations.MultimapView;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * All elements of a side input, held in memory by window: as a list or, where lookups by key are
 * wanted, as a multimap whose keys are equal when their encodings are. Immutable once read, so that
 * tasks may share it.
 */
final class SideInputContents {

  private final Map<BoundedWindow, Object> byWindow;
  private final Object empty;

  private SideInputContents(Map<BoundedWindow, Object> byWindow, Object empty) {
    this.byWindow = byWindow;
    this.empty = empty;
  }

  /** Reads the side input that the edges of the operator bring. */
  static SideInputContents read(PCollectionView<?> view, OperatorContext context) throws Exception {
    Function<List<Object>, Object> materialization = materialization(view);
    Map<BoundedWindow, List<Object>> elements = new HashMap<>();
    context.readSideInput(
        Views.tag(view).getId(),
        element -> {
          WindowedValue<?> windowed = (WindowedValue<?>) element;
          for (BoundedWindow window : windowed.getWindows()) {
            elements.computeIfAbsent(window, key -> new ArrayList<>()).add(windowed.getValue());
          }
        });
    Map<BoundedWindow, Object> byWindow = new HashMap<>();
    elements.forEach((window, list) -> byWindow.put(window, materialization.apply(list)));
    return new SideInputContents(byWindow, materialization.apply(List.of()));
  }

  /** What the view's function makes its value of, in one window; empty where nothing was. */
  Object in(BoundedWindow window) {
    return byWindow.getOrDefault(window, empty);
  }

  private static Function<List<Object>, Object> materialization(PCollectionView<?> view) {
    String urn = Views.function(view).getMaterialization().getUrn();
    return switch (urn) {
      case Materializations.ITERABLE_MATERIALIZATION_URN -> SideInputContents::iterable;
      case Materializations.MULTIMAP_MATERIALIZATION_URN -> {
        Coder<?> keyCoder = ((KvCoder<?, ?>) Views.coder(view)).getKeyCoder();
        yield elements -> multimap(keyCoder, elements);
      }
      default ->
          throw new IllegalArgumentException(
              "The side input "
                  + Views.tag(view).getId()
                  + " wants the materialization "
                  + urn
                  + ", which this runner does not have. It has "
                  + Materializations.ITERABLE_MATERIALIZATION_URN
                  + " and "
                  + Materializations.MULTIMAP_MATERIALIZATION_URN
                  + ".");
    };
  }

  private static IterableView<Object> iterable(List<Object> elements) {
    List<Object> unmodifiable = Collections.unmodifiableList(elements);
    return () -> unmodifiable;
  }

  @SuppressWarnings("unchecked") // the elements are pairs, as the view's coder says
  private static MultimapView<Object, Object> multimap(Coder<?> keyCoder, List<?> elements) {
    return InMemoryMultimapSideInputView.fromIterable(
        (Coder<Object>) keyCoder, (List<KV<Object, Object>>) elements);
  }
}
