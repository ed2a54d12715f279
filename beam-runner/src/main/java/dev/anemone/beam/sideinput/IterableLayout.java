// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.runtime.spi.RecordTable;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.Materializations.IterableView;

/**
 * A list of elements. In a table, the key is the window.
 *
 * @param coder codes the elements
 */
record IterableLayout(Coder<Object> coder) implements SideInputLayout {

  @Override
  public Supplier<IterableView<Object>> ofElements(List<Object> elements) {
    List<Object> unmodifiable = Collections.unmodifiableList(elements);
    IterableView<Object> view = () -> unmodifiable;
    return () -> view;
  }

  @Override
  public void write(Object element, byte[] window, RecordTable.Builder table) throws IOException {
    table.key().write(window);
    coder.encode(element, table.value());
    table.emit();
  }

  @Override
  public IterableView<Object> ofTable(RecordTable table, byte[] window) throws IOException {
    List<Object> elements = TableValues.of(table, window, coder);
    return () -> elements;
  }
}
