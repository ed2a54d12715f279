// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.beam.operator.step.UserFailures;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.spi.RecordTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.transforms.Materializations.MultimapView;

/** The multimap of one window in a table. Used by one thread. */
final class TableMultimap implements MultimapView<Object, Object> {

  private final RecordTable table;
  private final byte[] window;
  private final Coder<Object> keyCoder;
  private final Coder<Object> valueCoder;
  private final ByteSink key = new ByteSink();

  TableMultimap(RecordTable table, byte[] window, Coder<Object> keyCoder, Coder<Object> valueCoder)
      throws IOException {
    this.table = table;
    this.keyCoder = keyCoder;
    this.valueCoder = valueCoder;
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
      return () -> new TableKeys(table.records(from, to), window.length, keyCoder);
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
    try {
      keyCoder.encode(wanted, key);
    } catch (CoderException e) {
      if (wanted == null) {
        return List.of();
      }
      throw UserFailures.passThrough(e);
    } catch (IOException e) {
      throw UserFailures.passThrough(e);
    }
    try {
      return TableValues.of(table, written(), valueCoder);
    } catch (IOException e) {
      throw UserFailures.passThrough(e);
    }
  }
}
