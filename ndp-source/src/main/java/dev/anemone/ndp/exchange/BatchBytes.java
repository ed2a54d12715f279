// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.exchange;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;

/**
 * Batches as messages of Arrow's IPC format, without their schema, which both sides know. What
 * carries them compresses them, if anything does.
 */
final class BatchBytes {

  private BatchBytes() {}

  /** The bytes of a batch. */
  static byte[] of(VectorSchemaRoot batch) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ArrowRecordBatch unloaded = new VectorUnloader(batch).getRecordBatch()) {
      MessageSerializer.serialize(new WriteChannel(Channels.newChannel(bytes)), unloaded);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Puts a batch into memory of its own.
   *
   * @param batch gets its rows; what it had before is given back
   * @throws IOException when the bytes are of no batch
   */
  static void load(byte[] bytes, VectorSchemaRoot batch, BufferAllocator allocator)
      throws IOException {
    try (ArrowRecordBatch loaded =
        MessageSerializer.deserializeRecordBatch(
            new ReadChannel(Channels.newChannel(new ByteArrayInputStream(bytes))), allocator)) {
      new VectorLoader(batch).load(loaded);
    }
  }
}
