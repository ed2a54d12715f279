// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** A page that a block's bytes are being written to. Used by one thread. */
final class WrittenPage {

  private final int number;
  private final ByteBuffer bytes;
  private final CRC32C crc = new CRC32C();
  private int used;

  WrittenPage(int number, ByteBuffer bytes) {
    this.number = number;
    this.bytes = bytes;
  }

  int number() {
    return number;
  }

  ByteBuffer bytes() {
    return bytes;
  }

  /** Bytes that are in use, and where the next ones go. */
  int used() {
    return used;
  }

  /** Bytes that are still free. */
  int room() {
    return bytes.capacity() - used;
  }

  /** CRC32C of the bytes that are in use. */
  int checksum() {
    return (int) crc.getValue();
  }

  /** Copies bytes to the end, at most as many as there is room for. */
  int append(ByteBuffer source) {
    int limit = source.limit();
    int length = Math.min(room(), source.remaining());
    source.limit(source.position() + length);
    bytes.put(used, source, source.position(), length);
    crc.update(source);
    source.limit(limit);
    used += length;
    return length;
  }
}
