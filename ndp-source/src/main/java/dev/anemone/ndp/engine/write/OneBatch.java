// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.write;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A batch of somebody else for the engine, with columns that are numbered. */
final class OneBatch extends ArrowReader {

  private final VectorSchemaRoot numbered;
  private final int rows;
  private boolean given;

  OneBatch(BufferAllocator allocator, VectorSchemaRoot batch) {
    super(allocator);
    List<Field> fields = batch.getSchema().getFields();
    Schema schema =
        new Schema(
            IntStream.range(0, fields.size())
                .mapToObj(i -> new Field("c" + i, fields.get(i).getFieldType(), List.of()))
                .toList());
    this.rows = batch.getRowCount();
    this.numbered = new VectorSchemaRoot(schema, batch.getFieldVectors(), 0);
  }

  @Override
  public VectorSchemaRoot getVectorSchemaRoot() {
    return numbered;
  }

  @Override
  public boolean loadNextBatch() {
    boolean isFirst = !given;
    given = true;
    if (isFirst) {
      numbered.setRowCount(rows);
    }
    return isFirst;
  }

  @Override
  public long bytesRead() {
    return 0;
  }

  /** The batch is its owner's. */
  @Override
  protected void closeReadSource() {}

  @Override
  protected Schema readSchema() {
    return numbered.getSchema();
  }
}
