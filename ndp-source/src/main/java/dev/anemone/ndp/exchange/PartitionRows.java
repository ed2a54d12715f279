// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.exchange;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** The rows of a partition that are held back. Not thread-safe. */
final class PartitionRows implements AutoCloseable {

  /** More are of no use to the engine, and fewer than one is none. */
  private static final int MOST_ROWS = 8192;

  private static final int LEAST_ROWS = 16;

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

  /** Copies a row. */
  void add(FieldVector[] from, int row) {
    if (count == 0) {
      for (FieldVector column : columns) {
        column.setInitialCapacity(rowLimit);
        column.allocateNew();
      }
    }
    for (int i = 0; i < columns.length; i++) {
      columns[i].copyFromSafe(row, count, from[i]);
      if (ofText[i]) {
        BaseVariableWidthVector texts = (BaseVariableWidthVector) columns[i];
        textBytes += texts.getEndOffset(count) - texts.getStartOffset(count);
      }
    }
    count++;
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
