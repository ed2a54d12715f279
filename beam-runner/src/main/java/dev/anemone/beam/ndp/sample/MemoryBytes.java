// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp.sample;

import dev.anemone.ndp.engine.split.SplitBytes;
import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** A file in memory. */
final class MemoryBytes implements SplitBytes {

  private final byte[] bytes;

  /**
   * A file.
   *
   * @param bytes not changed any more by anybody
   */
  MemoryBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public long size() {
    return bytes.length;
  }

  @Override
  public InputStream open(long position, long length) {
    int from = (int) Math.min(position, bytes.length);
    return new ByteArrayInputStream(bytes, from, (int) Math.min(length, bytes.length - from));
  }

  @Override
  public void close() {}
}
