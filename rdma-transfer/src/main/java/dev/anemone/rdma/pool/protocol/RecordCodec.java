// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Turns records into bytes and back: component by component, in the order of declaration. A sealed
 * interface is written as the number of the implementation among those that it permits. Components
 * are int, long, String, ByteBuffer, UUID, enums, lists, records and sealed interfaces. Both sides
 * must have the same classes, which the {@linkplain Request#VERSION version} of the protocol is
 * for.
 *
 * <p>A class is looked at by reflection once. Makes no object but what the records say, so bytes
 * from a stranger do no harm. Thread-safe.
 */
public final class RecordCodec {

  private RecordCodec() {}

  /** Writes a value. */
  public static void encode(Class<?> type, Object value, DataOutputStream out) throws IOException {
    TypeCodec.of(type).write(value, out);
  }

  /**
   * The value that the bytes from position to limit are of.
   *
   * @throws IOException when they are of no such value
   */
  public static <T> T decode(Class<T> type, ByteBuffer bytes) throws IOException {
    try {
      T value = type.cast(TypeCodec.of(type).read(bytes));
      if (bytes.hasRemaining()) {
        throw new IOException(bytes.remaining() + " bytes are left over");
      }
      return value;
    } catch (BufferUnderflowException | IllegalArgumentException | IOException e) {
      throw new IOException("a message of the pool that is no " + type.getSimpleName(), e);
    }
  }
}
