// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.beam.operator.step.UserFailures;
import dev.anemone.runtime.spi.RecordTable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Supplier;
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
  public Supplier<MultimapView<Object, Object>> ofElements(List<Object> elements)
      throws IOException {
    HeapMultimap.Entries entries = new HeapMultimap.Entries(this, elements);
    return () -> new HeapMultimap(entries);
  }

  @Override
  public void write(Object element, byte[] window, RecordTable.Builder table) throws IOException {
    KV<?, ?> pair = (KV<?, ?>) element;
    writeWindow(window, table.key());
    writeKey(pair.getKey(), table.key());
    valueCoder.encode(pair.getValue(), table.value());
    table.emit();
  }

  static void writeWindow(byte[] window, OutputStream key) throws IOException {
    VarInt.encode(window.length, key);
    key.write(window);
  }

  /** Writes the key of an element. */
  void writeKey(Object key, OutputStream out) throws IOException {
    keyCoder.encode(key, out);
  }

  /**
   * Writes a key that somebody asks for.
   *
   * @return false for a null that the coder does not take, which is nobody's key then
   */
  boolean writeWanted(Object key, OutputStream out) {
    try {
      keyCoder.encode(key, out);
      return true;
    } catch (IOException | RuntimeException e) {
      if (key == null) {
        return false;
      }
      throw UserFailures.passThrough(e);
    }
  }

  @Override
  public MultimapView<Object, Object> ofTable(RecordTable table, byte[] window) throws IOException {
    return new TableMultimap(table, window, this);
  }
}
