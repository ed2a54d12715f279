// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.runtime.spi.RecordTable;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.transforms.Materializations;

/**
 * How the elements of a side input are kept: what the materialization that its view wants is made
 * of, in the heap and in a table. Immutable.
 */
sealed interface SideInputLayout permits IterableLayout, MultimapLayout {

  /**
   * The layout that a side input wants.
   *
   * @throws IllegalArgumentException when it wants one that is not there
   */
  @SuppressWarnings("unchecked") // the elements are those that the source's coder codes
  static SideInputLayout of(SideInputSource source) {
    String urn = source.materialization();
    return switch (urn) {
      case Materializations.ITERABLE_MATERIALIZATION_URN ->
          new IterableLayout((Coder<Object>) source.coder());
      case Materializations.MULTIMAP_MATERIALIZATION_URN -> {
        KvCoder<Object, Object> coder = (KvCoder<Object, Object>) source.coder();
        yield new MultimapLayout(coder.getKeyCoder(), coder.getValueCoder());
      }
      default ->
          throw new IllegalArgumentException(
              "The side input "
                  + source.input()
                  + " wants the materialization "
                  + urn
                  + ", which this runner does not have. It has "
                  + Materializations.ITERABLE_MATERIALIZATION_URN
                  + " and "
                  + Materializations.MULTIMAP_MATERIALIZATION_URN
                  + ".");
    };
  }

  /**
   * The materialization of elements in the heap, which are those of one window: one for each thread
   * that asks.
   */
  Supplier<?> ofElements(List<Object> elements) throws IOException;

  /**
   * Writes an element as the builder's current record, and emits it.
   *
   * @param window tells its window and pane from others
   */
  void write(Object element, byte[] window, RecordTable.Builder table) throws IOException;

  /** The materialization of a window's records in a table; used by one thread. */
  Object ofTable(RecordTable table, byte[] window) throws IOException;
}
