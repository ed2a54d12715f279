// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The footers that were met last in this process, found by their bytes: those of a file with many
 * splits, and of the tables that queries read again and again, are understood once. Thread-safe.
 */
final class ParquetFooters {

  /** A footer that has been understood takes some ten times its bytes. */
  private static final int HEAP_SHARES = 128;

  static final ParquetFooters OF_PROCESS =
      new ParquetFooters(Runtime.getRuntime().maxMemory() / HEAP_SHARES);

  private final long mostBytes;
  private final Map<Bytes, ParquetFooter> footers = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /**
   * @param mostBytes of the footers together, as they are in their files
   */
  ParquetFooters(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Has the engine read a footer. */
  @FunctionalInterface
  interface Reader {
    ParquetFile read() throws IOException, SQLException;
  }

  /**
   * A footer.
   *
   * @param end the bytes of the file from the footer on; not changed afterwards
   * @param engine reads it, if it is not known; by several threads when they ask at the same time
   */
  ParquetFooter of(byte[] end, Reader engine) throws IOException, SQLException {
    Bytes key = new Bytes(end, Arrays.hashCode(end));
    ParquetFooter known = known(key);
    if (known != null) {
      return known;
    }
    ParquetFooter footer = ParquetFooter.of(engine.read(), end);
    keep(key, footer);
    return footer;
  }

  private synchronized ParquetFooter known(Bytes key) {
    return footers.get(key);
  }

  private synchronized void keep(Bytes key, ParquetFooter footer) {
    if (key.bytes.length > mostBytes || footers.putIfAbsent(key, footer) != null) {
      return;
    }
    bytes += key.bytes.length;
    Iterator<Bytes> oldest = footers.keySet().iterator();
    while (bytes > mostBytes) {
      bytes -= oldest.next().bytes.length;
      oldest.remove();
    }
  }

  /** Compared by their content, whose hash is taken once. */
  private static final class Bytes {

    private final byte[] bytes;
    private final int hash;

    Bytes(byte[] bytes, int hash) {
      this.bytes = bytes;
      this.hash = hash;
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
    }
  }
}
