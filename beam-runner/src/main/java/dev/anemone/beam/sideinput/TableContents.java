// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.beam.operator.step.UserFailures;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.spi.RecordTable;
import java.io.IOException;
import java.util.Arrays;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;

/**
 * A side input in a table. Windows are equal when their encodings are.
 *
 * @param table is closed with the contents
 */
record TableContents(SideInputLayout layout, Coder<BoundedWindow> windowCoder, RecordTable table)
    implements SideInputContents {

  @Override
  public Object in(BoundedWindow window) {
    try {
      return layout.ofTable(table, encoded(windowCoder, window));
    } catch (IOException e) {
      throw UserFailures.passThrough(e);
    }
  }

  static byte[] encoded(Coder<BoundedWindow> windowCoder, BoundedWindow window) throws IOException {
    ByteSink bytes = new ByteSink();
    windowCoder.encode(window, bytes);
    return Arrays.copyOf(bytes.array(), bytes.length());
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
