// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.exchange;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;

/**
 * Batches as messages of Arrow's IPC format, without their schema, which both sides know. What
 * carries them compresses them, if anything does.
 */
final class BatchBytes {

  /** A mark, and the length of the metadata, which comes then. */
  private static final int PREFIX_BYTES = 2 * Integer.BYTES;

  private BatchBytes() {}

  /** The bytes of a batch. */
  static byte[] of(VectorSchemaRoot batch) {
    try (ArrowRecordBatch unloaded = new VectorUnloader(batch).getRecordBatch()) {
      ByteBuffer metadata = MessageSerializer.serializeMetadata(unloaded, IpcOption.DEFAULT);
      long body = unloaded.computeBodyLength();
      Written bytes = new Written(Math.toIntExact(PREFIX_BYTES + metadata.remaining() + body));
      MessageSerializer.serialize(new WriteChannel(bytes), unloaded);
      return bytes.take();
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written", e);
    }
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
            new ReadChannel(new Given(ByteBuffer.wrap(bytes))), allocator)) {
      new VectorLoader(batch).load(loaded);
    }
  }

  /** Memory that is written once, without the copies that Java's channels of streams make. */
  private static final class Written implements WritableByteChannel {

    private byte[] bytes;
    private int size;

    Written(int expected) {
      this.bytes = new byte[expected];
    }

    @Override
    public int write(ByteBuffer from) {
      int count = from.remaining();
      if (count > bytes.length - size) {
        bytes = Arrays.copyOf(bytes, Math.max(size + count, 2 * bytes.length));
      }
      from.get(bytes, size, count);
      size += count;
      return count;
    }

    byte[] take() {
      return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** Memory that is read once. */
  private record Given(ByteBuffer bytes) implements ReadableByteChannel {

    @Override
    public int read(ByteBuffer to) {
      if (!bytes.hasRemaining()) {
        return -1;
      }
      int count = Math.min(to.remaining(), bytes.remaining());
      to.put(bytes.slice().limit(count));
      bytes.position(bytes.position() + count);
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
