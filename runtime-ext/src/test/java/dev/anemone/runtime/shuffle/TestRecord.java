// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle;

import dev.anemone.runtime.shuffle.format.RunCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;

/** A record and its partition. */
public record TestRecord(int partition, ByteBuffer key, ByteBuffer value) {

  /** The order of sorted runs. */
  public static final Comparator<TestRecord> BY_KEY =
      (a, b) -> Arrays.compareUnsigned(bytes(a.key), bytes(b.key));

  /** The order in which a reader gives groups. */
  static final Comparator<TestRecord> BY_PARTITION_AND_KEY =
      Comparator.comparingInt(TestRecord::partition).thenComparing(BY_KEY);

  /** An order of all records, so that lists can be compared as multisets. */
  public static final Comparator<TestRecord> BY_ALL =
      BY_PARTITION_AND_KEY.thenComparing(
          (a, b) -> Arrays.compareUnsigned(bytes(a.value), bytes(b.value)));

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.capacity()];
    buffer.get(0, bytes);
    return bytes;
  }

  public static TestRecord of(int partition, byte[] key, byte[] value) {
    return new TestRecord(partition, ByteBuffer.wrap(key), ByteBuffer.wrap(value));
  }

  /** The same record in a partition that depends on its key alone. */
  public TestRecord hashed(int partitions) {
    return new TestRecord(Math.floorMod(key.hashCode(), partitions), key, value);
  }

  /** The record that a cursor stands on. */
  public static TestRecord of(int partition, RunCursor run) throws IOException {
    byte[] key = new byte[run.keyLength()];
    byte[] value = new byte[run.valueLength()];
    run.buffer().get(run.keyStart(), key);
    int read = run.recordEnd() - run.valueStart();
    run.buffer().get(run.valueStart(), value, 0, read);
    while (run.nextPart()) {
      int part = run.recordEnd() - run.recordStart();
      run.buffer().get(run.recordStart(), value, read, part);
      read += part;
    }
    return of(partition, key, value);
  }

  @Override
  public String toString() {
    return partition + ": key of " + key.capacity() + ", value of " + value.capacity() + " bytes";
  }
}
