// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;

/** Rows on their way over an exchange. */
final class ExchangedBatch {

  /** Makes a task run that may be given no rows at all. */
  static final ExchangedBatch NOTHING = new ExchangedBatch("", new byte[0]);

  private final String exchange;
  private final byte[] rows;

  /**
   * Some rows.
   *
   * @param exchange its name
   * @param rows what a {@link dev.anemone.ndp.exchange.BatchPartitioner} gave; not changed any more
   */
  ExchangedBatch(String exchange, byte[] rows) {
    this.exchange = exchange;
    this.rows = rows;
  }

  /** The name of the exchange; empty where there are no rows. */
  String exchange() {
    return exchange;
  }

  /** The rows, not to be changed. */
  byte[] rows() {
    return rows;
  }

  /** Its bytes. */
  static final class BatchCoder extends AtomicCoder<ExchangedBatch> {

    private static final long serialVersionUID = 1;
    private static final BatchCoder INSTANCE = new BatchCoder();

    static BatchCoder of() {
      return INSTANCE;
    }

    @Override
    public void encode(ExchangedBatch batch, OutputStream output) throws IOException {
      StringUtf8Coder.of().encode(batch.exchange, output);
      ByteArrayCoder.of().encode(batch.rows, output);
    }

    @Override
    public ExchangedBatch decode(InputStream input) throws IOException {
      return new ExchangedBatch(
          StringUtf8Coder.of().decode(input), ByteArrayCoder.of().decode(input));
    }
  }
}
