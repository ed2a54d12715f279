// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.exchange;

import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.ArrowTypes;
import java.io.IOException;
import java.util.Iterator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Batches that came over an exchange, for the engine. It owns their memory, which is another for
 * each batch. Not thread-safe.
 */
public final class ExchangedBatches extends ArrowReader {

  private final RootAllocator memory;
  private final Iterator<byte[]> batches;
  private final VectorSchemaRoot root;
  private long bytesRead;

  private ExchangedBatches(RootAllocator memory, RowType row, Iterator<byte[]> batches) {
    super(memory);
    this.memory = memory;
    this.batches = batches;
    this.root = VectorSchemaRoot.create(ArrowTypes.schemaOf(row), memory);
  }

  /**
   * Batches.
   *
   * @param row their columns
   * @param batches what {@link BatchPartitioner} made of rows with these columns
   */
  public static ExchangedBatches of(RowType row, Iterator<byte[]> batches) {
    return new ExchangedBatches(new RootAllocator(), row, batches);
  }

  @Override
  public VectorSchemaRoot getVectorSchemaRoot() {
    return root;
  }

  @Override
  protected Schema readSchema() {
    return root.getSchema();
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    try {
      if (!batches.hasNext()) {
        root.clear();
        return false;
      }
      byte[] bytes = batches.next();
      bytesRead += bytes.length;
      BatchBytes.load(bytes, root, memory);
      return true;
    } catch (RuntimeException e) {
      // The engine draws batches from native code, through which only this kind passes.
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public long bytesRead() {
    return bytesRead;
  }

  @Override
  protected void closeReadSource() {
    root.close();
    memory.close();
  }
}
