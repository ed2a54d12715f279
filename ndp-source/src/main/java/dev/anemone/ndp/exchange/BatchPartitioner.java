// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.exchange;

import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ndp.engine.ArrowTypes;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Divides batches among the partitions of an exchange, and makes bytes of them. It holds back the
 * rows of each partition until they are worth a batch. Not thread-safe.
 */
public final class BatchPartitioner implements AutoCloseable {

  /** Bytes of a batch: large enough for the engine, and far below what a record may have. */
  private static final int BATCH_BYTES = 128 << 10;

  /** Bytes that all partitions together hold back, as long as that is not too few for each. */
  private static final int HELD_BYTES = 16 << 20;

  private static final int LEAST_BYTES = 4 << 10;

  /** Rows of a batch that goes on as it is, where nothing has to be divided. */
  private static final int WORTH_A_BATCH = 1024;

  /** What batches are handed to. */
  @FunctionalInterface
  public interface Output {
    /**
     * Takes a batch.
     *
     * @param partition from 0
     */
    void accept(int partition, byte[] batch) throws Exception;
  }

  private final Partitioning partitioning;
  private final Output output;
  private final int partitions;
  private final int batchBytes;
  private final List<Integer> keys = new ArrayList<>();
  private final RootAllocator memory = new RootAllocator();
  private final RowHashes hashes = new RowHashes();
  private final PartitionRows[] rows;
  private int[] partitionOf = new int[0];
  private int[] order = new int[0];

  /**
   * A partitioner.
   *
   * @param row the columns of the batches
   * @param partitions of the exchange, at least 1
   */
  public BatchPartitioner(RowType row, Partitioning partitioning, int partitions, Output output) {
    this.partitioning = partitioning;
    this.partitions = partitions;
    this.output = output;
    this.batchBytes = Math.max(LEAST_BYTES, Math.min(BATCH_BYTES, HELD_BYTES / partitions));
    boolean divides =
        partitions > 1
            && (partitioning instanceof Partitioning.Hash
                || partitioning instanceof Partitioning.Spread);
    this.rows = new PartitionRows[divides ? partitions : 1];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new PartitionRows(ArrowTypes.schemaOf(row), memory, batchBytes);
    }
    if (partitioning instanceof Partitioning.Hash hash) {
      hash.keys().forEach(key -> keys.add(row.indexOf(key).orElseThrow()));
    } else {
      for (int i = 0; i < row.fields().size(); i++) {
        keys.add(i);
      }
    }
  }

  /** Takes the rows of a batch, which may be reused afterwards. */
  public void accept(VectorSchemaRoot batch) throws Exception {
    int count = batch.getRowCount();
    FieldVector[] columns = batch.getFieldVectors().toArray(FieldVector[]::new);
    if (partitioning instanceof Partitioning.Stay && count >= WORTH_A_BATCH) {
      output.accept(0, BatchBytes.of(batch));
      return;
    }
    boolean[] hasNulls = new boolean[columns.length];
    for (int i = 0; i < columns.length; i++) {
      hasNulls[i] = columns[i].getNullCount() > 0;
    }
    int[] ends = arrange(batch, count);
    int start = 0;
    for (int partition = 0; partition < rows.length; partition++) {
      while (start < ends[partition]) {
        start += rows[partition].add(columns, hasNulls, order, start, ends[partition]);
        if (rows[partition].isFull()) {
          emit(partition);
        }
      }
    }
  }

  /**
   * Puts the numbers of all rows into {@link #order}, by partition, as a counting sort does.
   *
   * @return where each partition ends there
   */
  private int[] arrange(VectorSchemaRoot batch, int count) {
    if (order.length < count) {
      order = new int[count];
      partitionOf = new int[count];
    }
    if (rows.length == 1) {
      for (int row = 0; row < count; row++) {
        order[row] = row;
      }
      return new int[] {count};
    }
    long[] hashed = hashes.of(keys.stream().map(batch::getVector).toList(), count);
    int[] ends = new int[rows.length];
    for (int row = 0; row < count; row++) {
      // The upper half of the hash as a fraction of all partitions.
      partitionOf[row] = (int) (((hashed[row] >>> Integer.SIZE) * partitions) >>> Integer.SIZE);
      ends[partitionOf[row]]++;
    }
    for (int partition = 1; partition < ends.length; partition++) {
      ends[partition] += ends[partition - 1];
    }
    int[] next = ends.clone();
    for (int row = count - 1; row >= 0; row--) {
      next[partitionOf[row]]--;
      order[next[partitionOf[row]]] = row;
    }
    return ends;
  }

  /** Hands on what is held back. */
  public void flush() throws Exception {
    for (int partition = 0; partition < rows.length; partition++) {
      if (!rows[partition].isEmpty()) {
        emit(partition);
      }
    }
  }

  private void emit(int partition) throws Exception {
    byte[] batch = rows[partition].take();
    if (partitioning instanceof Partitioning.Replicate) {
      for (int each = 0; each < partitions; each++) {
        output.accept(each, batch);
      }
    } else {
      output.accept(partition, batch);
    }
  }

  @Override
  public void close() {
    for (PartitionRows each : rows) {
      each.close();
    }
    memory.close();
  }
}
