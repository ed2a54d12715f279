// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.spi.ValueCursor;
import dev.anemone.runtime.task.ValueLog;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.AbstractIterator;

/**
 * Batches of exchanges that wait until all have come: in the heap up to a limit, then in files,
 * which go when this is closed. Used by one thread.
 */
final class HeldBatches implements Closeable {

  private final Map<String, ValueLog> logs = new TreeMap<>();
  private final ByteSlice slice = new ByteSlice();

  /**
   * None yet.
   *
   * @param exchanges the names of those that they can be of, at least one
   * @param directory where files go, if any are needed
   * @param limitBytes of rows that may stay in the heap
   */
  HeldBatches(Set<String> exchanges, Path directory, long limitBytes) {
    for (String exchange : exchanges) {
      logs.put(exchange, new ValueLog(directory, limitBytes / exchanges.size()));
    }
  }

  /** Keeps a batch. */
  void add(ExchangedBatch batch) throws IOException {
    logs.get(batch.exchange()).add(slice.set(batch.rows(), 0, batch.rows().length));
  }

  /** Those of one exchange, in the order in which they came; can be asked for again. */
  Iterator<byte[]> of(String exchange) {
    ValueCursor cursor = logs.get(exchange).cursor();
    return new AbstractIterator<>() {
      @Override
      protected byte[] computeNext() {
        try {
          return cursor.next() ? cursor.value().readAllBytes() : endOfData();
        } catch (IOException e) {
          throw new UncheckedIOException("batches that a task keeps cannot be read", e);
        }
      }
    };
  }

  @Override
  public void close() throws IOException {
    CloseAll.of(logs.values());
  }
}
