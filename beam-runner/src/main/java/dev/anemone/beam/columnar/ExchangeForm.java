// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.ndp.NdpSpec.PlanTexts;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
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
    REPLICATE,
    BROADCAST,
    STAY;

    static Kind of(Partitioning partitioning) {
      if (partitioning instanceof Partitioning.Hash) {
        return HASH;
      } else if (partitioning instanceof Partitioning.Spread) {
        return SPREAD;
      } else if (partitioning instanceof Partitioning.Gather) {
        return GATHER;
      } else if (partitioning instanceof Partitioning.Replicate) {
        return REPLICATE;
      }
      return partitioning instanceof Partitioning.Stay ? STAY : BROADCAST;
    }

    /** Whether it has several partitions. */
    boolean isDivided() {
      return this == HASH || this == SPREAD || this == REPLICATE;
    }
  }

  ExchangeForm {
    keys = List.copyOf(keys);
  }

  /**
   * Of an exchange.
   *
   * @param partitions as many as it has if it has several
   */
  static ExchangeForm of(Exchange exchange, int partitions) {
    Partitioning partitioning = exchange.partitioning();
    Kind kind = Kind.of(partitioning);
    return new ExchangeForm(
        exchange.name(),
        PlanTexts.write(new RelationalPlan(exchange.row(), List.of())),
        kind,
        partitioning instanceof Partitioning.Hash hash ? hash.keys() : List.of(),
        kind.isDivided() ? partitions : 1);
  }

  /** The columns of its rows. */
  RowType row() {
    return PlanTexts.read(rowJson).scan();
  }

  private Partitioning partitioning() {
    return switch (kind) {
      case HASH -> new Partitioning.Hash(keys);
      case SPREAD -> new Partitioning.Spread();
      case GATHER -> new Partitioning.Gather();
      case REPLICATE -> new Partitioning.Replicate();
      case BROADCAST -> new Partitioning.Broadcast();
      case STAY -> new Partitioning.Stay();
    };
  }

  @Override
  public Writer open(ElementReceiver<KV<Integer, ExchangedBatch>> output) {
    BatchPartitioner partitioner =
        new BatchPartitioner(
            row(),
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
