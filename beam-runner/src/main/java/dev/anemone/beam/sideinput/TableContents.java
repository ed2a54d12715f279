// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.beam.operator.step.UserFailures;
import dev.anemone.runtime.spi.RecordTable;
import java.io.IOException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;

/**
 * A side input in a table. Windows are equal when their encodings are.
 *
 * @param panes does not change any more
 * @param table is closed with the contents
 */
record TableContents(
    SideInputLayout layout, Coder<BoundedWindow> windowCoder, LatestPanes panes, RecordTable table)
    implements SideInputContents {

  @Override
  public Object in(BoundedWindow window) {
    try {
      return layout.ofTable(table, panes.encoded(windowCoder, window));
    } catch (IOException e) {
      throw UserFailures.passThrough(e);
    }
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
