// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.inflate;

import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat.Compression;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * The text of a compressed file, decompressed while it is read, and so only from its beginning:
 * whoever opens a later place waits for all before it. A file of several members or frames has the
 * text of all of them. Checksums are compared, and what is not there is missed: reads throw {@link
 * DamagedStreamException}. For one thread and one stream at a time, as the file.
 */
public final class InflatedBytes implements SplitBytes {

  private final SplitBytes stored;
  private final Compression compression;

  /**
   * A text.
   *
   * @param stored the file, which is left open
   * @param compression of the file; not none
   */
  public InflatedBytes(SplitBytes stored, Compression compression) {
    if (compression == Compression.NONE) {
      throw new IllegalArgumentException("a file that is not compressed is its own text");
    }
    this.stored = stored;
    this.compression = compression;
  }

  @Override
  public String name() {
    return stored.name();
  }

  @Override
  public long size() {
    return UNKNOWN_SIZE;
  }

  /**
   * {@inheritDoc}
   *
   * @param length up to {@link #UNKNOWN_SIZE}, which is the end of the text
   * @throws IllegalArgumentException when the range ends before
   */
  @Override
  public InputStream open(long position, long length) throws IOException {
    if (!SplitBytes.isToUnknownEnd(position, length)) {
      throw new IllegalArgumentException("a compressed text is read to its end");
    }
    long size = stored.size();
    if (size == 0) {
      throw new DamagedStreamException(
          name(), "it is empty, as no file of " + format() + " is", null);
    }
    InputStream file = stored.open(0, size);
    InputStream text =
        compression == Compression.GZIP ? new GzipText(file, name()) : new ZstdText(file, name());
    try {
      text.skipNBytes(position);
      return text;
    } catch (IOException | RuntimeException e) {
      text.close();
      throw e;
    }
  }

  private String format() {
    return compression.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void close() {
    // The file is its owner's, and each stream is closed by who reads it.
  }
}
