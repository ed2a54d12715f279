// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.profile.OperatorRows;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The rows that a plan gives, batch by batch, while it runs. For one thread; to be closed, also
 * when not read to the end.
 */
public final class PlanAnswer implements AutoCloseable {

  private final PlanRun run;
  private final Runnable end;
  private final RowType type;
  private final ScanQuery scanned;
  private final ArrowReader reader;
  private final VectorSchemaRoot root;
  private long rows;

  /**
   * An answer.
   *
   * @param end run when it is closed
   */
  PlanAnswer(PlanRun run, Runnable end, RowType type, ScanQuery scanned, ArrowReader reader)
      throws IOException {
    this.run = run;
    this.end = end;
    this.type = type;
    this.scanned = scanned;
    this.reader = reader;
    VectorSchemaRoot given = reader.getVectorSchemaRoot();
    Schema schema = ArrowTypes.schemaOf(type);
    for (int i = 0; i < type.fields().size(); i++) {
      Field field = given.getVector(i).getField();
      if (!field.getType().equals(schema.getFields().get(i).getType())) {
        throw new NdpEngineException(
            "column " + type.fields().get(i) + " came out of the engine as " + field.getType());
      }
    }
    // The same vectors with the names of the plan.
    this.root = new VectorSchemaRoot(schema, given.getFieldVectors(), 0);
  }

  /** The rows' type. */
  public RowType type() {
    return type;
  }

  /**
   * The rows of the current batch, with a schema as {@link ArrowTypes#schemaOf} gives. Owned by
   * this answer, and the same object for every batch.
   */
  public VectorSchemaRoot root() {
    return root;
  }

  /** Rows in all batches so far. */
  public long rows() {
    return rows;
  }

  /** Row groups of Parquet that are read. */
  public int rowGroups() {
    return scanned.groups();
  }

  /** Row groups that are not, because none of their rows passes the filters that come first. */
  public int rowGroupsSkipped() {
    return scanned.skipped();
  }

  /**
   * The rows of the operators that the engine has run, in the order of what reads and what is read.
   * To be asked for when there is no next batch.
   *
   * @throws NdpEngineException when the engine does not tell
   */
  public List<OperatorRows> operators() {
    return run.operators();
  }

  /**
   * Makes the next batch the current one.
   *
   * @return false when there is none
   * @throws NdpEngineException when the plan fails
   */
  public boolean loadNextBatch() {
    run.requireInTime();
    try {
      boolean loaded = reader.loadNextBatch();
      run.requireWhole();
      int count = loaded ? reader.getVectorSchemaRoot().getRowCount() : 0;
      root.setRowCount(count);
      rows += count;
      return loaded;
    } catch (IOException e) {
      throw run.failure(e);
    }
  }

  /**
   * Writes all batches that are left as a stream of Arrow's IPC format. Arrow takes a stream that
   * breaks off for a shorter one; so whoever sends it has to say in another way whether it is
   * whole.
   *
   * @param channel left open
   * @return the stream's bytes
   * @throws NdpEngineException when the plan fails; the stream then has no end mark
   * @throws IOException when the channel fails
   */
  public long writeTo(WritableByteChannel channel) throws IOException {
    // Closing a writer ends its stream, also a broken one; it holds nothing that must be closed.
    ArrowStreamWriter writer = new ArrowStreamWriter(root, null, channel);
    writer.start();
    while (loadNextBatch()) {
      writer.writeBatch();
    }
    writer.end();
    return writer.bytesWritten();
  }

  @Override
  public void close() {
    end.run();
  }
}
