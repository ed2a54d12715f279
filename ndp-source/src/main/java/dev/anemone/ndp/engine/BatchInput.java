// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.sql.PlanSql;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.duckdb.DuckDBConnection;

/** Batches that somebody else makes, which the engine draws while the plan runs. */
final class BatchInput implements PlanInput {

  private final ArrowReader batches;
  private final String name;
  private final Deque<AutoCloseable> resources = new ArrayDeque<>();
  private IOException failure;

  /**
   * An input.
   *
   * @param batches closed when this is released
   * @param name that the engine knows them by
   */
  BatchInput(ArrowReader batches, String name) {
    this.batches = batches;
    this.name = name;
    resources.push(batches);
  }

  @Override
  public Optional<RuntimeException> failure() {
    return Optional.ofNullable(failure)
        .map(e -> new NdpEngineException("the plan's batches broke off: " + e.getMessage(), e));
  }

  @Override
  public boolean isRepeatable() {
    return false;
  }

  @Override
  public List<Path> paths(Path file) {
    return List.of();
  }

  @Override
  public void place(Path file, LongConsumer watch) {}

  @Override
  public ScanQuery query(
      Connection database, RowType scan, GroupFilter wanted, Path file, LongConsumer watch)
      throws IOException, SQLException {
    VectorSchemaRoot root = batches.getVectorSchemaRoot();
    List<ArrowType> given = typesOf(root.getSchema());
    if (!given.equals(typesOf(ArrowTypes.schemaOf(scan)))) {
      throw new InvalidPlanException("the plan reads " + scan + ", and the batches have " + given);
    }
    // Buffers can only be handed on below the allocator that they come from.
    BufferAllocator allocator = root.getVector(0).getAllocator();
    ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator);
    resources.push(stream);
    NumberedReader reader = new NumberedReader(allocator, root);
    resources.push(reader);
    Data.exportArrayStream(allocator, reader, stream);
    database.unwrap(DuckDBConnection.class).registerArrowStream(name, stream);
    return ScanQuery.of("SELECT * FROM " + name);
  }

  private static List<ArrowType> typesOf(Schema schema) {
    return schema.getFields().stream().map(Field::getType).toList();
  }

  @Override
  public void release() throws Exception {
    while (!resources.isEmpty()) {
      resources.pop().close();
    }
  }

  /** The same batches, with columns that are numbered as a scan's are. */
  private final class NumberedReader extends ArrowReader {

    private final VectorSchemaRoot numbered;

    NumberedReader(BufferAllocator allocator, VectorSchemaRoot root) {
      super(allocator);
      List<Field> fields = root.getSchema().getFields();
      Schema schema =
          new Schema(
              IntStream.range(0, fields.size())
                  .mapToObj(
                      i -> new Field(PlanSql.column(0, i), fields.get(i).getFieldType(), List.of()))
                  .toList());
      this.numbered = new VectorSchemaRoot(schema, root.getFieldVectors(), 0);
    }

    @Override
    public VectorSchemaRoot getVectorSchemaRoot() {
      return numbered;
    }

    @Override
    public boolean loadNextBatch() throws IOException {
      try {
        boolean loaded = batches.loadNextBatch();
        numbered.setRowCount(loaded ? batches.getVectorSchemaRoot().getRowCount() : 0);
        return loaded;
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    @Override
    public long bytesRead() {
      return batches.bytesRead();
    }

    /** The batches are closed with the input. */
    @Override
    protected void closeReadSource() {}

    @Override
    protected Schema readSchema() {
      return numbered.getSchema();
    }
  }
}
