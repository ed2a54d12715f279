// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.harness.InMemoryShuffle;
import dev.anemone.beam.harness.InMemoryTask;
import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.exchange.Exchange;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.runtime.spi.KeyGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.junit.jupiter.api.Test;

/** A count of a join, which gives one row for each time that it is run. */
class PartitionsOperatorTest {

  private static final int PARTITIONS = 8;
  private static final long ROWS = 400;
  private static final long MUCH = 1L << 20;

  private static final Exchange LEFT = exchange("x0", "k", new Partitioning.Hash(List.of("k")));
  private static final Exchange RIGHT = exchange("x1", "r", new Partitioning.Replicate());

  private final PartitionedQuery query =
      new PartitionedQuery(
          new RelationalQuery(
              Relation.Step.of(
                  Aggregate.complete(List.of(), List.of(AggregateCall.countRows("n"))),
                  new Relation.Join(
                      JoinKind.INNER,
                      new Relation.Input("x0", LEFT.row()),
                      new Relation.Input("x1", RIGHT.row()),
                      List.of(new Relation.KeyPair("k", "r")),
                      Optional.empty()))),
          Set.of("x1"));

  private static Exchange exchange(String name, String column, Partitioning partitioning) {
    return new Exchange(name, RowType.of(Field.required(column, SimpleType.INT64)), partitioning);
  }

  /** The partitions of both sides: of the left one some rows, of the right one all. */
  private static List<KeyGroup> partitions() throws Exception {
    InMemoryShuffle shuffle =
        new InMemoryShuffle(
            VarIntCoder.of(), ExchangedBatch.BatchCoder.of(), WindowingStrategy.globalDefault());
    for (Exchange exchange : List.of(LEFT, RIGHT)) {
      shuffle.add(sent(exchange));
    }
    return shuffle.groups();
  }

  private static List<WindowedValue<KV<Integer, ExchangedBatch>>> sent(Exchange exchange)
      throws Exception {
    Schema schema = Schema.builder().addInt64Field(exchange.row().fields().get(0).name()).build();
    List<Row> rows =
        LongStream.range(0, ROWS)
            .mapToObj(i -> Row.withSchema(schema).addValue(i).build())
            .toList();
    List<WindowedValue<KV<Integer, ExchangedBatch>>> sent = new ArrayList<>();
    try (RowBatches batches = RowBatches.of(exchange.row(), rows.iterator());
        BatchForm.Writer writer =
            ExchangeForm.of(exchange, PARTITIONS)
                .open(batch -> sent.add(WindowedValues.valueInGlobalWindow(batch)))) {
      while (batches.loadNextBatch()) {
        writer.accept(batches.getVectorSchemaRoot());
      }
      writer.finish();
    }
    return sent;
  }

  private static long bytes(Exchange exchange) throws Exception {
    return sent(exchange).get(0).getValue().getValue().rows().length;
  }

  /** What each run has counted. */
  private List<Long> counted(long pieceBytes, long memoryBytes) throws Exception {
    List<Long> counts = new ArrayList<>();
    QuerySpec spec = QuerySpec.inSlot(PipelineOptionsFactory.create());
    try (NdpEngine engine = spec.engine();
        InMemoryTask task = new InMemoryTask(FunctionSpec.of("test:none"))) {
      task.withMemoryBudget(memoryBytes)
          .withReceiver(
              IREdge.MAIN,
              element ->
                  counts.add((Long) ((VectorSchemaRoot) element).getVector("n").getObject(0)));
      PartitionsOperator operator = new PartitionsOperator(query, spec, engine, pieceBytes);
      operator.open(task);
      for (KeyGroup partition : partitions()) {
        operator.acceptGroup(partition);
      }
      operator.finish();
      operator.close();
    }
    return counts;
  }

  private static void assertComplete(List<Long> counts) {
    assertThat(counts.stream().mapToLong(n -> n).sum()).isEqualTo(ROWS);
  }

  @Test
  void partitionsWithFewRowsAreOneRun() throws Exception {
    List<Long> counts = counted(MUCH, MUCH);
    assertThat(counts).hasSize(1);
    assertComplete(counts);
  }

  @Test
  void partitionsWithManyRowsAreRunsOfTheirOwn() throws Exception {
    List<Long> counts = counted(1, MUCH);
    assertThat(counts).hasSize(PARTITIONS);
    assertComplete(counts);
    assertThat(counted(MUCH, 1)).hasSameElementsAs(counts);
  }

  @Test
  void asManyPartitionsAsFitAreOneRun() throws Exception {
    long partition = bytes(LEFT) + bytes(RIGHT);
    List<Long> counts = counted(2 * partition + partition / 2, MUCH);
    assertThat(counts).hasSizeBetween(2, PARTITIONS - 1);
    assertComplete(counts);
  }

  @Test
  void nothingRunsWhereNothingHasCome() throws Exception {
    QuerySpec spec = QuerySpec.inSlot(PipelineOptionsFactory.create());
    try (NdpEngine engine = spec.engine();
        InMemoryTask task = new InMemoryTask(FunctionSpec.of("test:none"))) {
      List<Object> rows = new ArrayList<>();
      task.withReceiver(IREdge.MAIN, rows::add);
      PartitionsOperator operator = new PartitionsOperator(query, spec, engine, MUCH);
      operator.open(task);
      operator.finish();
      operator.close();
      assertThat(rows).isEmpty();
    }
  }
}
