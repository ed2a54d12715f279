// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.beam.runners.fnexecution.state.StateRequestHandlers.BagUserStateHandler;
import org.apache.beam.runners.fnexecution.state.StateRequestHandlers.BagUserStateHandlerFactory;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;

/**
 * The state of the keys that a stage works on, in the heap, until {@link #clear}. The SDK makes all
 * kinds of state of bags. Thread-safe.
 */
final class KeyedState implements BagUserStateHandlerFactory<Object, Object, BoundedWindow> {

  /** What no two bags have in common; keys and windows are equal when their encodings are. */
  private record Name(String transform, String state, Object key, Object window) {}

  private final Map<Name, List<Object>> bags = new ConcurrentHashMap<>();

  /** Forgets all keys. */
  void clear() {
    bags.clear();
  }

  @Override
  public BagUserStateHandler<Object, Object, BoundedWindow> forUserState(
      String transform,
      String state,
      Coder<Object> keyCoder,
      Coder<Object> valueCoder,
      Coder<BoundedWindow> windowCoder) {
    return new BagUserStateHandler<>() {
      @Override
      public Iterable<Object> get(Object key, BoundedWindow window) {
        return List.copyOf(bags.getOrDefault(nameOf(key, window), List.of()));
      }

      @Override
      public void append(Object key, BoundedWindow window, Iterator<Object> values) {
        bags.compute(
            nameOf(key, window),
            (name, bag) -> {
              List<Object> grown = bag == null ? new ArrayList<>() : bag;
              values.forEachRemaining(grown::add);
              return grown;
            });
      }

      @Override
      public void clear(Object key, BoundedWindow window) {
        bags.remove(nameOf(key, window));
      }

      private Name nameOf(Object key, BoundedWindow window) {
        return new Name(
            transform, state, keyCoder.structuralValue(key), windowCoder.structuralValue(window));
      }
    };
  }
}
