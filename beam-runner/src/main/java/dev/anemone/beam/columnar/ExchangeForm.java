// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.ndp.NdpSpec.PlanTexts;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.exchange.Exchange;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ndp.exchange.BatchPartitioner;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.values.KV;

/**
 * Batches for the partitions of an exchange, by the number of the partition.
 *
 * @param name of the exchange
 * @param rowJson its columns, as a plan without operators
 * @param kind how it is partitioned
 * @param keys what it is partitioned by, where it is by a hash
 * @param partitions how many it has
 */
record ExchangeForm(String name, String rowJson, Kind kind, List<String> keys, int partitions)
    implements BatchForm<KV<Integer, ExchangedBatch>> {

  /** The coder of its elements. */
  static final Coder<KV<Integer, ExchangedBatch>> CODER =
      KvCoder.of(VarIntCoder.of(), ExchangedBatch.BatchCoder.of());

  /** The kinds of {@link Partitioning}, which is not serializable. */
  enum Kind {
    HASH,
    SPREAD,
    GATHER,
    REPLICATE
  }

  ExchangeForm {
    keys = List.copyOf(keys);
  }

  /**
   * Of an exchange.
   *
   * @param partitions as many as it has if it is not gathered
   */
  static ExchangeForm of(Exchange exchange, int partitions) {
    Partitioning partitioning = exchange.partitioning();
    Kind kind =
        partitioning instanceof Partitioning.Hash
            ? Kind.HASH
            : partitioning instanceof Partitioning.Spread
                ? Kind.SPREAD
                : partitioning instanceof Partitioning.Gather ? Kind.GATHER : Kind.REPLICATE;
    return new ExchangeForm(
        exchange.name(),
        PlanTexts.write(new RelationalPlan(exchange.row(), List.of())),
        kind,
        partitioning instanceof Partitioning.Hash hash ? hash.keys() : List.of(),
        kind == Kind.GATHER ? 1 : partitions);
  }

  private Partitioning partitioning() {
    return switch (kind) {
      case HASH -> new Partitioning.Hash(keys);
      case SPREAD -> new Partitioning.Spread();
      case GATHER -> new Partitioning.Gather();
      case REPLICATE -> new Partitioning.Replicate();
    };
  }

  @Override
  public Writer open(ElementReceiver<KV<Integer, ExchangedBatch>> output) {
    BatchPartitioner partitioner =
        new BatchPartitioner(
            PlanTexts.read(rowJson).scan(),
            partitioning(),
            partitions,
            (partition, rows) -> output.accept(KV.of(partition, new ExchangedBatch(name, rows))));
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
