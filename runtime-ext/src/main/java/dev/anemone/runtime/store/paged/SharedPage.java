// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.paged;

import dev.anemone.runtime.memory.PagePool;
import java.nio.ByteBuffer;

/**
 * A page that holds parts of one or more blocks. Only one writer appends to it at a time; bytes are
 * written and read at absolute positions, so readers of earlier bytes are not disturbed.
 */
final class SharedPage {

  private final ByteBuffer bytes;
  private int used;
  private int begun;

  /** Blocks and writers that have bytes here; guarded by the {@link SharedPages}. */
  int owners;

  SharedPage(ByteBuffer bytes) {
    this.bytes = bytes;
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
    return PagePool.PAGE_BYTES - used;
  }

  /** Begins the part of the next writer. */
  void begin() {
    begun = used;
  }

  /** Makes room again of what was appended since the last {@link #begin}. */
  void takeBack() {
    used = begun;
  }

  /** Copies bytes to the end, at most as many as there is room for. */
  int append(ByteBuffer source) {
    int length = Math.min(room(), source.remaining());
    bytes.put(used, source, source.position(), length);
    source.position(source.position() + length);
    used += length;
    return length;
  }
}
