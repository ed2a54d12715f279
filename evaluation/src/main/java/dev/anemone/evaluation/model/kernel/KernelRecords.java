// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/** Random records, the same each time, half compressible. Makes no objects; not thread-safe. */
final class KernelRecords {
  static final int KEY_BYTES = 10;
  static final int VALUE_BYTES = 90;
  static final int RECORD_BYTES = KEY_BYTES + VALUE_BYTES;

  private static final int RANDOM_VALUE_BYTES = 48;

  private static final long SEED = 1;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final byte[] key = new byte[KEY_BYTES];
  private final byte[] value = new byte[VALUE_BYTES];

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

  static int partition(byte[] key, int partitions) {
    long prefix = (int) INTS.get(key, 0) & 0xffff_ffffL;
    return (int) ((prefix * partitions) >>> Integer.SIZE);
  }

  /** Checks the order, and all records by a checksum. Makes no objects; not thread-safe. */
  static final class KernelCheck {
    private final CRC32C crc = new CRC32C();
    private final byte[] lastKey = new byte[KernelRecords.KEY_BYTES];
    private long records;
    private long checksum;

    /** What a right kernel reads back; makes all records. */
    static KernelCheck expected(long records) {
      KernelCheck check = new KernelCheck();
      KernelRecords made = new KernelRecords();
      for (long i = 0; i < records; i++) {
        made.next();
        check.add(made.key(), 0, made.key().length, made.value(), 0, made.value().length);
      }
      return check;
    }

    /** Begins a partition: any key may come first. */
    void startPartition() {
      Arrays.fill(lastKey, (byte) 0);
    }

    /** Takes the next record of a partition, whose key must not be smaller than the one before. */
    void inOrder(
        byte[] key, int keyStart, int keyLength, byte[] value, int valueStart, int valueLength) {
      if (keyLength != KernelRecords.KEY_BYTES
          || Arrays.compareUnsigned(lastKey, 0, keyLength, key, keyStart, keyStart + keyLength)
              > 0) {
        throw new IllegalStateException("Record " + records + " is not in the order of the keys.");
      }
      System.arraycopy(key, keyStart, lastKey, 0, keyLength);
      add(key, keyStart, keyLength, value, valueStart, valueLength);
    }

    private void add(
        byte[] key, int keyStart, int keyLength, byte[] value, int valueStart, int valueLength) {
      crc.reset();
      crc.update(key, keyStart, keyLength);
      crc.update(value, valueStart, valueLength);
      checksum += crc.getValue();
      records++;
    }

    /** Throws an exception if something else came than should have. */
    void requireEqual(KernelCheck expected) {
      if (records != expected.records || checksum != expected.checksum) {
        throw new IllegalStateException(
            String.format(
                "The kernel gave back %d records with checksum %d, but got %d with checksum %d.",
                records, checksum, expected.records, expected.checksum));
      }
    }
  }
}
