// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.runtime.spi.RecordTable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.beam.runners.core.InMemoryMultimapSideInputView;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.Materializations.MultimapView;
import org.apache.beam.sdk.util.VarInt;
import org.apache.beam.sdk.values.KV;

/**
 * Values by key. In a table, the key is the length of the window, the window, and the encoded key;
 * so the keys of a window are together.
 *
 * @param keyCoder codes the keys, which are equal when their encodings are
 * @param valueCoder codes the values
 */
record MultimapLayout(Coder<Object> keyCoder, Coder<Object> valueCoder) implements SideInputLayout {

  @Override
  @SuppressWarnings("unchecked") // the elements are pairs, as the view's coder says
  public MultimapView<Object, Object> ofElements(List<Object> elements) {
    return InMemoryMultimapSideInputView.fromIterable(
        keyCoder, (List<KV<Object, Object>>) (List<?>) elements);
  }

  @Override
  public void write(Object element, byte[] window, RecordTable.Builder table) throws IOException {
    KV<?, ?> pair = (KV<?, ?>) element;
    writeWindow(window, table.key());
    keyCoder.encode(pair.getKey(), table.key());
    valueCoder.encode(pair.getValue(), table.value());
    table.emit();
  }

  static void writeWindow(byte[] window, OutputStream key) throws IOException {
    VarInt.encode(window.length, key);
    key.write(window);
  }

  @Override
  public MultimapView<Object, Object> ofTable(RecordTable table, byte[] window) throws IOException {
    return new TableMultimap(table, window, keyCoder, valueCoder);
  }
}
