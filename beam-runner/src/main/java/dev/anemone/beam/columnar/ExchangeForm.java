// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.relational.exchange.Exchange;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ndp.exchange.BatchPartitioner;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.values.KV;

/**
 * Batches for the partitions of an exchange, by the number of the partition.
 *
 * @param writeJson the exchange: the payload of the function of the IR that it is
 */
record ExchangeForm(String writeJson) implements BatchForm<KV<Integer, ExchangedBatch>> {

  /** The coder of its elements. */
  static final Coder<KV<Integer, ExchangedBatch>> CODER =
      KvCoder.of(VarIntCoder.of(), ExchangedBatch.BatchCoder.of());

  /**
   * Of an exchange.
   *
   * @param partitions as many as it has if it has several
   */
  static ExchangeForm of(Exchange exchange, int partitions) {
    Partitioning partitioning = exchange.partitioning();
    boolean isDivided =
        partitioning instanceof Partitioning.Hash
            || partitioning instanceof Partitioning.Spread
            || partitioning instanceof Partitioning.Replicate;
    return of(
        RelationalFunctions.exchangeOf(new ExchangeWrite(exchange, isDivided ? partitions : 1)));
  }

  /** That of a function of the IR. */
  static ExchangeForm of(FunctionSpec exchange) {
    return new ExchangeForm(new String(exchange.payload(), StandardCharsets.UTF_8));
  }

  private FunctionSpec write() {
    return FunctionSpec.of(
        RelationalFunctions.EXCHANGE_URN, writeJson.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Optional<FunctionSpec> function() {
    return Optional.of(write());
  }

  @Override
  public Writer open(ElementReceiver<KV<Integer, ExchangedBatch>> output) {
    ExchangeWrite to = RelationalFunctions.exchangeOf(write()).orElseThrow();
    Exchange exchange = to.exchange();
    BatchPartitioner partitioner =
        new BatchPartitioner(
            exchange.row(),
            exchange.partitioning(),
            to.partitions(),
            (partition, rows) ->
                output.accept(KV.of(partition, new ExchangedBatch(exchange.name(), rows))));
    return new Writer() {
      @Override
      public void accept(VectorSchemaRoot batch) throws Exception {
        partitioner.accept(batch);
      }

      @Override
      public void finish() throws Exception {
        partitioner.flush();
      }

      @Override
      public void close() {
        partitioner.close();
      }
    };
  }
}
