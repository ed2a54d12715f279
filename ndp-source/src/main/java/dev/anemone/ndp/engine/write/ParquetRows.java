// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.write;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.engine.NdpEngineException;
import dev.anemone.ndp.engine.database.EngineDatabase;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.sql.SqlText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.duckdb.DuckDBConnection;

/**
 * Rows of Parquet, which the engine makes: it gathers the batches in a table, which spills as all
 * that it holds, and writes that to a file of its own, whose bytes then go to the target.
 */
final class ParquetRows implements RowFile {

  private static final String FILE = "written.parquet";
  private static final String BATCH = "batch";

  private final WrittenRows rows;
  private final OutputStream target;
  private final EngineDatabase engine;
  private final Connection database;

  private ParquetRows(
      WrittenRows rows, OutputStream target, EngineDatabase engine, Connection database) {
    this.rows = rows;
    this.target = target;
    this.engine = engine;
    this.database = database;
  }

  static ParquetRows open(WrittenRows rows, OutputStream target, NdpEngineLimits limits)
      throws IOException {
    EngineDatabase engine = new EngineDatabase(limits, List.of(FILE));
    try {
      ParquetRows opened = new ParquetRows(rows, target, engine, engine.connect());
      opened.execute(
          IntStream.range(0, rows.given().fields().size())
              .mapToObj(i -> column(i) + " " + SqlText.type(type(rows.given().fields().get(i))))
              .collect(Collectors.joining(", ", "CREATE TEMP TABLE gathered (", ")")));
      return opened;
    } catch (SQLException e) {
      NdpEngineException failure =
          new NdpEngineException("the engine could not be started: " + e.getMessage(), e);
      try {
        engine.close();
      } catch (IOException | SQLException suppressed) {
        failure.addSuppressed(suppressed);
      }
      throw failure;
    }
  }

  private static String column(int index) {
    return "c" + index;
  }

  private static DataType type(Field field) {
    return field.type().type();
  }

  @Override
  public void write(VectorSchemaRoot batch) {
    rows.requireValues(batch);
    if (batch.getRowCount() == 0) {
      return;
    }
    // Buffers can only be handed on below the allocator that they come from.
    BufferAllocator allocator = batch.getVector(0).getAllocator();
    try (OneBatch once = new OneBatch(allocator, batch);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
      Data.exportArrayStream(allocator, once, stream);
      database.unwrap(DuckDBConnection.class).registerArrowStream(BATCH, stream);
      execute("INSERT INTO gathered SELECT * FROM " + BATCH);
    } catch (IOException | SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public void finish() throws IOException {
    try {
      execute(
          IntStream.range(0, rows.wanted().fields().size())
              .mapToObj(
                  i -> converted(i) + " AS " + SqlText.name(rows.wanted().fields().get(i).name()))
              .collect(
                  Collectors.joining(
                      ", ",
                      "COPY (SELECT ",
                      " FROM gathered) TO "
                          + SqlText.string(engine.file(FILE).toString())
                          + " (FORMAT parquet, COMPRESSION snappy)")));
    } catch (SQLException e) {
      throw failed(e);
    }
    Files.copy(engine.file(FILE), target);
  }

  /** The value of a column as the table has it, or an error that names the column. */
  private String converted(int index) {
    String column = column(index);
    DataType given = type(rows.given().fields().get(index));
    DataType wanted = type(rows.wanted().fields().get(index));
    if (wanted == SimpleType.TIMESTAMP) {
      return "CASE WHEN epoch_us("
          + column
          + ") % 1000 <> 0 THEN "
          + error(index, " of milliseconds")
          + " ELSE CAST("
          + column
          + " AS TIMESTAMP_MS) END";
    }
    if (!(wanted instanceof DecimalType) || wanted.equals(given)) {
      return column;
    }
    return "CASE WHEN "
        + column
        + " IS NULL THEN NULL ELSE coalesce(TRY_CAST("
        + column
        + " AS "
        + SqlText.type(wanted)
        + "), "
        + error(index, "")
        + ") END";
  }

  private String error(int index, String more) {
    return "error("
        + SqlText.string(rows.expectation(index) + more + ", which ")
        + " || "
        + column(index)
        + " || ' does not fit')";
  }

  private void execute(String statement) throws SQLException {
    try (Statement execution = database.createStatement()) {
      execution.execute(statement);
    }
  }

  private NdpEngineException failed(Exception cause) {
    return new NdpEngineException(
        "rows of table " + rows.table() + " could not be written: " + cause.getMessage(), cause);
  }

  @Override
  public void close() throws IOException {
    try (EngineDatabase closed = engine) {
      if (database != null) {
        database.close();
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }
}
