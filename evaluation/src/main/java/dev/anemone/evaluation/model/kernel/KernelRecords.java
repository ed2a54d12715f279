// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * A sequence of random records, the same ones each time: a key of 10 bytes and a value of 90, of
 * which about half can be compressed. The partitions are ranges of keys. Makes no objects. Not
 * thread-safe.
 */
final class KernelRecords {
  /** Bytes of a key. */
  static final int KEY_BYTES = 10;

  /** Bytes of a value. */
  static final int VALUE_BYTES = 90;

  /** Bytes of a record. */
  static final int RECORD_BYTES = KEY_BYTES + VALUE_BYTES;

  /** The rest of a value is zero. */
  private static final int RANDOM_VALUE_BYTES = 48;

  private static final long SEED = 1;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final byte[] key = new byte[KEY_BYTES];
  private final byte[] value = new byte[VALUE_BYTES];

  /** Makes the next record. */
  void next() {
    LONGS.set(key, 0, random.nextLong());
    long rest = random.nextLong();
    key[Long.BYTES] = (byte) rest;
    key[Long.BYTES + 1] = (byte) (rest >>> Byte.SIZE);
    for (int position = 0; position < RANDOM_VALUE_BYTES; position += Long.BYTES) {
      LONGS.set(value, position, random.nextLong());
    }
  }

  /** The key of the current record; the same array each time. */
  byte[] key() {
    return key;
  }

  /** The value of the current record; the same array each time. */
  byte[] value() {
    return value;
  }

  /**
   * The partition of a key.
   *
   * @param partitions how many there are
   */
  static int partition(byte[] key, int partitions) {
    long prefix = (int) INTS.get(key, 0) & 0xffff_ffffL;
    return (int) ((prefix * partitions) >>> Integer.SIZE);
  }
}
