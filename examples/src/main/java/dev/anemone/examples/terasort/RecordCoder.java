// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.util.common.ElementByteSizeObserver;
import org.apache.beam.sdk.values.TypeDescriptor;

/**
 * Codes a record as its 100 bytes. As every record has the same length, none is written, wherever
 * the record is nested. Decoding allocates the record's array and nothing else. Thread-safe.
 */
final class RecordCoder extends AtomicCoder<byte[]> {
  private static final long serialVersionUID = 1;
  private static final RecordCoder INSTANCE = new RecordCoder();
  private static final TypeDescriptor<byte[]> TYPE = TypeDescriptor.of(byte[].class);

  private RecordCoder() {}

  /** The coder; all are the same. */
  static RecordCoder of() {
    return INSTANCE;
  }

  /**
   * Writes a record.
   *
   * @throws CoderException if the array is not 100 bytes long
   */
  @Override
  public void encode(byte[] record, OutputStream out) throws IOException {
    if (record.length != TeraRecord.BYTES) {
      throw new CoderException(
          "A record has " + TeraRecord.BYTES + " bytes, and this one has " + record.length + ".");
    }
    out.write(record);
  }

  /**
   * Reads a record into a new array.
   *
   * @throws EOFException if the stream ends before the record does
   */
  @Override
  public byte[] decode(InputStream in) throws IOException {
    byte[] record = new byte[TeraRecord.BYTES];
    int read = in.readNBytes(record, 0, TeraRecord.BYTES);
    if (read < TeraRecord.BYTES) {
      throw new EOFException(
          "The stream ends after " + read + " of the " + TeraRecord.BYTES + " bytes of a record.");
    }
    return record;
  }

  @Override
  public boolean isRegisterByteSizeObserverCheap(byte[] record) {
    return true;
  }

  @Override
  public void registerByteSizeObserver(byte[] record, ElementByteSizeObserver observer) {
    observer.update(TeraRecord.BYTES);
  }

  @Override
  public TypeDescriptor<byte[]> getEncodedTypeDescriptor() {
    return TYPE;
  }
}
