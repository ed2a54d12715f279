// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.runtime.record.ByteSink;
import java.io.IOException;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import org.apache.beam.sdk.transforms.Materializations.MultimapView;
import org.apache.beam.sdk.values.KV;

/**
 * The multimap of one window in the heap. Keys are equal when their encodings are, so that a row
 * finds one that has the same fields by another schema. Used by one thread.
 */
final class HeapMultimap implements MultimapView<Object, Object> {

  /** All entries of a window. Immutable, so that tasks may share it. */
  static final class Entries {

    private final MultimapLayout layout;
    private final Map<EncodedKey, Values> byKey = new HashMap<>();

    /**
     * The entries of pairs.
     *
     * @throws IOException when a key cannot be encoded
     */
    Entries(MultimapLayout layout, List<Object> pairs) throws IOException {
      this.layout = layout;
      ByteSink sink = new ByteSink();
      EncodedKey encoded = new EncodedKey();
      for (Object each : pairs) {
        KV<?, ?> pair = (KV<?, ?>) each;
        sink.reset();
        layout.writeKey(pair.getKey(), sink);
        encoded.set(sink);
        Values values = byKey.get(encoded);
        if (values == null) {
          values = new Values(pair.getKey());
          byKey.put(EncodedKey.of(sink), values);
        }
        values.append(pair.getValue());
      }
    }
  }

  /** The values of a key in the order in which they came; to others, a list that stays as it is. */
  private static final class Values extends AbstractList<Object> implements RandomAccess {

    private final Object key;
    // Most keys of most side inputs have one value.
    private Object[] values = new Object[1];
    private int size;

    Values(Object key) {
      this.key = key;
    }

    private void append(Object value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, Math.addExact(size, 1 + size / 2));
      }
      values[size++] = value;
    }

    @Override
    public Object get(int index) {
      return values[Objects.checkIndex(index, size)];
    }

    @Override
    public int size() {
      return size;
    }
  }

  private final Entries entries;
  private final ByteSink sink = new ByteSink();
  private final EncodedKey wanted = new EncodedKey();

  HeapMultimap(Entries entries) {
    this.entries = entries;
  }

  @Override
  public Iterable<Object> get() {
    return Keys::new;
  }

  private final class Keys implements Iterator<Object> {

    private final Iterator<Values> all = entries.byKey.values().iterator();

    @Override
    public boolean hasNext() {
      return all.hasNext();
    }

    @Override
    public Object next() {
      return all.next().key;
    }
  }

  @Override
  public Iterable<Object> get(Object key) {
    sink.reset();
    if (!entries.layout.writeWanted(key, sink)) {
      return List.of();
    }
    wanted.set(sink);
    List<Object> values = entries.byKey.get(wanted);
    return values == null ? List.of() : values;
  }
}
