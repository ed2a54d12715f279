// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes a file from its beginning on; gathers small appends. Used by one thread. */
final class SequentialOutput {

  private final BlockFile file;
  private final WriteBuffers buffers;
  private ByteBuffer gathered;
  private long written;

  /** Writes nothing yet; the file is not closed. */
  SequentialOutput(BlockFile file, WriteBuffers buffers) {
    this.file = file;
    this.buffers = buffers;
  }

  /** Takes all that the buffer has. */
  void append(ByteBuffer bytes) throws IOException {
    if (gathered != null && bytes.remaining() > gathered.remaining()) {
      flush();
    }
    if (bytes.remaining() >= WriteBuffers.BUFFER_BYTES) {
      writeNow(bytes);
      return;
    }
    if (gathered == null) {
      gathered = buffers.take();
    }
    gathered.put(bytes);
  }

  /** Writes what is not written yet. */
  void flush() throws IOException {
    if (gathered != null) {
      writeNow(gathered.flip());
      gathered.clear();
    }
  }

  private void writeNow(ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    file.write(bytes, written);
    written += length;
  }

  /** Gives its buffer back, with what was not flushed; may be called again. */
  void release() {
    if (gathered != null) {
      buffers.giveBack(gathered);
      gathered = null;
    }
  }
}
