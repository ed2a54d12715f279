// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.client;

import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.client.ProxyException.Kind;
import dev.anemone.ndp.engine.ArrowTypes;
import java.io.IOException;
import java.io.InputStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;

/**
 * The batches of an answer. The proxy sends no faster than they are read. For one thread; to be
 * closed, also when not read to the end, which frees the proxy.
 *
 * <p>When {@link #isVerified} says so from the beginning, the whole answer is here and no row can
 * be followed by a failure. Otherwise rows count only after {@link #loadNextBatch} has returned
 * false: when it throws before, the caller forgets those that it was given and does the split
 * itself.
 */
public final class ProxyAnswer extends ArrowStreamReader {

  private final FrameInput frames;
  private final RowType type;
  private long rows;

  ProxyAnswer(FrameInput frames, InputStream bytes, RowType type, BufferAllocator allocator) {
    super(bytes, allocator);
    this.frames = frames;
    this.type = type;
  }

  /** The rows' type. */
  public RowType type() {
    return type;
  }

  /** Whether all of the answer has arrived as it was sent. */
  public boolean isVerified() {
    return frames.isVerified();
  }

  /** Rows in all batches so far. */
  public long rows() {
    return rows;
  }

  void requireSchema() throws IOException {
    try {
      if (!getVectorSchemaRoot().getSchema().equals(ArrowTypes.schemaOf(type))) {
        throw ProxyException.brokenOff(
            "the answer has the columns " + getVectorSchemaRoot().getSchema() + ", not " + type);
      }
    } catch (RuntimeException e) {
      throw notArrow(e);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @return false when there are no more, and all have arrived as they were sent
   * @throws ProxyException when the answer is not whole
   */
  @Override
  public boolean loadNextBatch() throws IOException {
    try {
      boolean loaded = super.loadNextBatch();
      if (loaded) {
        rows += getVectorSchemaRoot().getRowCount();
      } else {
        requireWhole();
      }
      return loaded;
    } catch (ProxyException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw notArrow(e);
    }
  }

  /** Arrow's stream has an end of its own, behind which it does not look. */
  private void requireWhole() throws IOException {
    if (!isVerified() && frames.read() >= 0) {
      throw ProxyException.brokenOff("the answer goes on behind its end");
    }
    if (rows != frames.rows()) {
      throw ProxyException.brokenOff(rows + " rows came, and " + frames.rows() + " were sent");
    }
  }

  private static ProxyException notArrow(Exception e) {
    return new ProxyException(
        Kind.BROKEN_OFF, "the answer is no stream of Arrow: " + e.getMessage(), e);
  }

  @Override
  protected void closeReadSource() throws IOException {
    try {
      super.closeReadSource();
    } finally {
      frames.close();
    }
  }
}
