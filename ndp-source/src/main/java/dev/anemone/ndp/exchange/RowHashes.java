// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.exchange;

import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;

/**
 * Hashes of rows, which are the same in every process and for every batch that a row is in. Values
 * that are equal have equal hashes, a zero whatever its sign, and nulls.
 *
 * <p>Each value is mixed into the hash of those before it, and that by the finalizer of MurmurHash3
 * (Appleby, 2011). Not thread-safe.
 */
final class RowHashes {

  private static final long NULL = 0x9E3779B97F4A7C15L;
  private static final long NAN = Double.doubleToLongBits(Double.NaN);

  private long[] hashes = new long[0];

  /**
   * The hashes of the first rows of some columns, valid until the next call.
   *
   * @param keys vectors of fixed width, of bits, or of texts
   */
  long[] of(List<FieldVector> keys, int rows) {
    if (hashes.length < rows) {
      hashes = new long[rows];
    }
    Arrays.fill(hashes, 0, rows, 0);
    for (FieldVector key : keys) {
      if (key instanceof BitVector bits) {
        addBits(bits, rows);
      } else if (key instanceof Float8Vector doubles) {
        addDoubles(doubles, rows);
      } else if (key instanceof VarCharVector texts) {
        addTexts(texts, rows);
      } else if (key instanceof BaseFixedWidthVector fixed) {
        addFixed(fixed, rows);
      } else {
        throw new IllegalStateException("no hash of a column " + key.getField());
      }
    }
    return hashes;
  }

  private static long mixed(long hash, long value) {
    long mixed = hash * 31 + value;
    mixed = (mixed ^ (mixed >>> 33)) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ (mixed >>> 33);
  }

  private void addBits(BitVector bits, int rows) {
    for (int row = 0; row < rows; row++) {
      hashes[row] = mixed(hashes[row], bits.isNull(row) ? NULL : bits.get(row));
    }
  }

  private void addDoubles(Float8Vector doubles, int rows) {
    for (int row = 0; row < rows; row++) {
      long value = NULL;
      if (!doubles.isNull(row)) {
        double number = doubles.get(row);
        value = Double.isNaN(number) ? NAN : number == 0 ? 0 : Double.doubleToRawLongBits(number);
      }
      hashes[row] = mixed(hashes[row], value);
    }
  }

  private void addFixed(BaseFixedWidthVector fixed, int rows) {
    ArrowBuf data = fixed.getDataBuffer();
    int width = fixed.getTypeWidth();
    for (int row = 0; row < rows; row++) {
      if (fixed.isNull(row)) {
        hashes[row] = mixed(hashes[row], NULL);
        continue;
      }
      long at = (long) row * width;
      switch (width) {
        case Integer.BYTES -> hashes[row] = mixed(hashes[row], data.getInt(at));
        case Long.BYTES -> hashes[row] = mixed(hashes[row], data.getLong(at));
        case 2 * Long.BYTES ->
            hashes[row] =
                mixed(mixed(hashes[row], data.getLong(at)), data.getLong(at + Long.BYTES));
        default -> throw new IllegalStateException("no hash of a column " + fixed.getField());
      }
    }
  }

  private void addTexts(VarCharVector texts, int rows) {
    ArrowBuf data = texts.getDataBuffer();
    for (int row = 0; row < rows; row++) {
      if (texts.isNull(row)) {
        hashes[row] = mixed(hashes[row], NULL);
        continue;
      }
      long at = texts.getStartOffset(row);
      long end = texts.getEndOffset(row);
      long hash = mixed(hashes[row], end - at);
      for (; at + Long.BYTES <= end; at += Long.BYTES) {
        hash = mixed(hash, data.getLong(at));
      }
      for (; at < end; at++) {
        hash = mixed(hash, data.getByte(at));
      }
      hashes[row] = hash;
    }
  }
}
