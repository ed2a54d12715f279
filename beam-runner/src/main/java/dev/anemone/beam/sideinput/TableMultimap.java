// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.beam.operator.step.UserFailures;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.spi.RecordTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.transforms.Materializations.MultimapView;

/** The multimap of one window in a table. Used by one thread. */
final class TableMultimap implements MultimapView<Object, Object> {

  private final RecordTable table;
  private final byte[] window;
  private final MultimapLayout layout;
  private final ByteSink key = new ByteSink();

  TableMultimap(RecordTable table, byte[] window, MultimapLayout layout) throws IOException {
    this.table = table;
    this.layout = layout;
    MultimapLayout.writeWindow(window, key);
    this.window = written();
  }

  private byte[] written() {
    return Arrays.copyOf(key.array(), key.length());
  }

  @Override
  public Iterable<Object> get() {
    try {
      long from = table.rank(window);
      byte[] behind = behindAllWith(window);
      long to = behind.length == 0 ? table.size() : table.rank(behind);
      return () -> new TableKeys(table.records(from, to), window.length, layout.keyCoder());
    } catch (IOException e) {
      throw UserFailures.passThrough(e);
    }
  }

  /** The smallest byte string that is larger than all with a start; empty when there is none. */
  private static byte[] behindAllWith(byte[] start) {
    int length = start.length;
    while (length > 0 && start[length - 1] == (byte) 0xff) {
      length--;
    }
    byte[] behind = Arrays.copyOf(start, length);
    if (length > 0) {
      behind[length - 1]++;
    }
    return behind;
  }

  @Override
  public Iterable<Object> get(Object wanted) {
    key.reset();
    key.write(window, 0, window.length);
    if (!layout.writeWanted(wanted, key)) {
      return List.of();
    }
    try {
      return TableValues.of(table, written(), layout.valueCoder());
    } catch (IOException e) {
      throw UserFailures.passThrough(e);
    }
  }
}
