// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/**
 * Finds where records of a file of text begin. A record belongs to the split in which its first
 * byte lies; so a split begins where the first record at or after its start does, as in Hadoop.
 */
final class CsvRecords implements Closeable {

  /** Of files that are read from the beginning. */
  private static final int BUFFER_BYTES = 1 << 16;

  /** Of others, in which the next line end is looked for: more than a usual record. */
  private static final int LINE_BYTES = 1 << 13;

  /** What is read at once, in the end, of a line that does not end. */
  private static final int LONG_LINE_BYTES = 1 << 22;

  private static final int NONE = -1;

  private final SplitBytes file;
  private final CsvFormat format;
  private final LongConsumer watch;
  private final long size;

  /** Whether all before a byte has to be read for it, which one stream does. */
  private final boolean isReadOn;

  private byte[] buffer;
  private long bufferStart;
  private int buffered;
  private InputStream stream = InputStream.nullInputStream();
  private long streamPosition = NONE;

  /** A boundary that was found, from which a later one can be looked for. */
  private long knownBoundary;

  /**
   * @param file left open
   * @param watch called between reads; what it throws is passed on
   */
  CsvRecords(SplitBytes file, CsvFormat format, LongConsumer watch) throws IOException {
    this.file = file;
    this.watch = watch;
    this.format = format;
    this.size = file.size();
    this.isReadOn = format.quotedNewlines() || size == SplitBytes.UNKNOWN_SIZE;
    this.buffer = new byte[isReadOn ? BUFFER_BYTES : LINE_BYTES];
  }

  /**
   * The first byte of the first record that begins at or after an offset; the size of the file when
   * there is none.
   */
  long boundaryAt(long offset) throws IOException {
    if (offset == 0) {
      return 0;
    }
    if (offset >= size) {
      return size;
    }
    return format.quotedNewlines() ? boundaryOutsideOfQuotes(offset) : afterLineEnd(offset - 1);
  }

  /**
   * Whether the record at a boundary ends with CRLF. DuckDB would take the first line end that it
   * sees for that of all records, also one in quotes.
   */
  boolean endWithCarriageReturn(long boundary) throws IOException {
    long end = boundaryAt(boundary + 1);
    return end > boundary + 1 && byteAt(end - 1) == '\n' && byteAt(end - 2) == '\r';
  }

  private long afterLineEnd(long from) throws IOException {
    long position = from;
    int next = byteAt(position);
    while (next != NONE && next != '\n') {
      position++;
      next = byteAt(position);
    }
    return next == NONE ? position : position + 1;
  }

  /**
   * Reads from the beginning, or the last boundary found, since a quote far before may have been
   * opened and not closed.
   */
  private long boundaryOutsideOfQuotes(long offset) throws IOException {
    int quote = format.quote().orElseThrow();
    int escape = format.escape().map(c -> (int) c).orElse(NONE);
    boolean inQuotes = false;
    boolean atValueStart = true;
    long position = knownBoundary < offset ? knownBoundary : 0;
    for (int next = byteAt(position); next != NONE; next = byteAt(position)) {
      position++;
      if (inQuotes) {
        if (next == escape && isEscapable(byteAt(position), quote, escape)) {
          position++;
        } else if (next == quote) {
          inQuotes = false;
        }
      } else if (next == '\n') {
        if (position >= offset) {
          knownBoundary = position;
          return position;
        }
        atValueStart = true;
      } else {
        // A quote opens only where a value begins; elsewhere it is a character like others.
        inQuotes = atValueStart && next == quote;
        atValueStart = next == format.delimiter();
      }
    }
    return position;
  }

  private static boolean isEscapable(int next, int quote, int escape) {
    return next == quote || next == escape;
  }

  private int byteAt(long position) throws IOException {
    long index = position - bufferStart;
    if (index < 0 || index >= buffered) {
      if (position >= size) {
        return NONE;
      }
      watch.accept(0);
      if (!isReadOn) {
        resize(position == bufferStart + buffered);
      }
      if (position != streamPosition) {
        stream.close();
        stream = file.open(position, isReadOn ? size - position : buffer.length);
      }
      bufferStart = position;
      buffered = stream.readNBytes(buffer, 0, buffer.length);
      // A stream that has ended is opened anew.
      streamPosition = buffered == buffer.length && isReadOn ? position + buffered : NONE;
      if (buffered == 0) {
        return NONE;
      }
      index = 0;
    }
    return buffer[(int) index] & 0xff;
  }

  /** Each read of one line is twice as long as the one before: a read may be a request. */
  private void resize(boolean readsOn) {
    int length = readsOn && buffered > 0 ? Math.min(2 * buffered, LONG_LINE_BYTES) : LINE_BYTES;
    if (length != buffer.length) {
      buffer = new byte[length];
    }
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
