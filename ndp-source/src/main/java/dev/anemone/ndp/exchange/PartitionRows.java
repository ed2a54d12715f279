// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.exchange;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** The rows of a partition that are held back. Not thread-safe. */
final class PartitionRows implements AutoCloseable {

  /** More are of no use to the engine, and fewer than one is none. */
  private static final int MOST_ROWS = 8192;

  private static final int LEAST_ROWS = 16;

  /** Between two looks at how long texts have become. */
  private static final int ROWS_AT_ONCE = 64;

  private final VectorSchemaRoot root;
  private final FieldVector[] columns;
  private final boolean[] ofText;
  private final int rowLimit;
  private final int byteLimit;
  private int count;
  private long textBytes;

  /**
   * No rows.
   *
   * @param byteLimit bytes after which they are a full batch, roughly
   */
  PartitionRows(Schema schema, BufferAllocator memory, int byteLimit) {
    this.root = VectorSchemaRoot.create(schema, memory);
    this.byteLimit = byteLimit;
    List<FieldVector> vectors = root.getFieldVectors();
    this.columns = vectors.toArray(FieldVector[]::new);
    this.ofText = new boolean[columns.length];
    int rowBytes = 0;
    for (int i = 0; i < columns.length; i++) {
      ofText[i] = columns[i] instanceof BaseVariableWidthVector;
      rowBytes +=
          columns[i] instanceof BaseFixedWidthVector fixed
              ? Math.max(1, fixed.getTypeWidth())
              : Integer.BYTES;
    }
    this.rowLimit = Math.max(LEAST_ROWS, Math.min(MOST_ROWS, byteLimit / rowBytes));
  }

  boolean isEmpty() {
    return count == 0;
  }

  boolean isFull() {
    return count == rowLimit || textBytes >= byteLimit;
  }

  /**
   * Copies rows until these are a full batch, roughly.
   *
   * @param from the columns
   * @param hasNulls whether each may have nulls
   * @param rows numbers of rows in them, of which those from {@code start} to {@code end} are meant
   * @return how many of them were copied, one at least
   */
  int add(FieldVector[] from, boolean[] hasNulls, int[] rows, int start, int end) {
    if (count == 0) {
      for (FieldVector column : columns) {
        column.setInitialCapacity(rowLimit);
        column.allocateNew();
      }
    }
    int taken = 0;
    while (start + taken < end && !isFull()) {
      int first = start + taken;
      int some = Math.min(Math.min(ROWS_AT_ONCE, end - first), rowLimit - count);
      for (int i = 0; i < columns.length; i++) {
        if (ofText[i]) {
          copyTexts((BaseVariableWidthVector) columns[i], from[i], rows, first, some);
        } else if (columns[i] instanceof BaseFixedWidthVector fixed && fixed.getTypeWidth() > 0) {
          copyFixed(fixed, (BaseFixedWidthVector) from[i], hasNulls[i], rows, first, some);
        } else {
          copyBits(columns[i], from[i], rows, first, some);
        }
      }
      count += some;
      taken += some;
    }
    return taken;
  }

  private void copyTexts(
      BaseVariableWidthVector texts, FieldVector from, int[] rows, int first, int some) {
    for (int i = 0; i < some; i++) {
      texts.copyFromSafe(rows[first + i], count + i, from);
    }
    textBytes +=
        texts.getOffsetBuffer().getInt((long) (count + some) * Integer.BYTES)
            - texts.getOffsetBuffer().getInt((long) count * Integer.BYTES);
  }

  private void copyBits(FieldVector bits, FieldVector from, int[] rows, int first, int some) {
    for (int i = 0; i < some; i++) {
      bits.copyFromSafe(rows[first + i], count + i, from);
    }
  }

  /** In a loop for each width that there is, over memory that is known to be large enough. */
  private void copyFixed(
      BaseFixedWidthVector fixed,
      BaseFixedWidthVector from,
      boolean hasNulls,
      int[] rows,
      int first,
      int some) {
    long source = from.getDataBuffer().memoryAddress();
    int width = fixed.getTypeWidth();
    long target = fixed.getDataBuffer().memoryAddress() + (long) count * width;
    switch (width) {
      case Integer.BYTES -> {
        for (int i = 0; i < some; i++) {
          int value = MemoryUtil.getInt(source + (long) rows[first + i] * Integer.BYTES);
          MemoryUtil.putInt(target + (long) i * Integer.BYTES, value);
        }
      }
      case Long.BYTES -> {
        for (int i = 0; i < some; i++) {
          long value = MemoryUtil.getLong(source + (long) rows[first + i] * Long.BYTES);
          MemoryUtil.putLong(target + (long) i * Long.BYTES, value);
        }
      }
      default -> {
        for (int i = 0; i < some; i++) {
          MemoryUtil.copyMemory(
              source + (long) rows[first + i] * width, target + (long) i * width, width);
        }
      }
    }
    ArrowBuf valid = fixed.getValidityBuffer();
    for (int i = 0; i < some; i++) {
      if (!hasNulls || !from.isNull(rows[first + i])) {
        BitVectorHelper.setBit(valid, count + i);
      }
    }
  }

  /** All rows as a batch; then there are none. */
  byte[] take() {
    root.setRowCount(count);
    byte[] batch = BatchBytes.of(root);
    root.clear();
    count = 0;
    textBytes = 0;
    return batch;
  }

  @Override
  public void close() {
    root.close();
  }
}
