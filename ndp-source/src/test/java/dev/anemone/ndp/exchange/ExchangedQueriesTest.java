// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.engine.ArrowTypes;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.engine.NdpEngineException;
import dev.anemone.ndp.engine.PlanAnswer;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries on what came over exchanges, several at once in one engine. */
class ExchangedQueriesTest {

  private static final int ROWS = 20_000;

  private static final Relation JOIN =
      new Relation.Join(
          JoinKind.INNER,
          input("left", "l"),
          input("right", "r"),
          List.of(new Relation.KeyPair("l", "r")),
          Optional.empty());

  private static final RelationalQuery SUM =
      new RelationalQuery(
          Relation.Step.of(
              Aggregate.complete(
                  List.of(), List.of(AggregateCall.of("s", AggregateFunction.SUM, "l"))),
              JOIN));

  @TempDir private Path directory;
  private NdpEngine engine;

  private static Relation.Input input(String name, String column) {
    return new Relation.Input(name, RowType.of(Field.nullable(column, SimpleType.INT64)));
  }

  @BeforeEach
  void open() {
    engine =
        new NdpEngine(
            new NdpEngineLimits(2, 64L << 20, 1L << 30, Duration.ofMinutes(1), directory));
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    engine.close();
    try (var files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void eachHasItsOwnTables() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Long>> sums = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        long first = i;
        sums.add(threads.submit(() -> sum(first)));
      }
      for (int i = 0; i < sums.size(); i++) {
        assertThat(sums.get(i).get())
            .as("the sum from %d on", i)
            .isEqualTo(LongStream.range(i, i + ROWS).sum());
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void oneThatFailsHarmsNoOther() throws Exception {
    assertThatThrownBy(() -> sum(Long.MAX_VALUE - ROWS))
        .isInstanceOf(NdpEngineException.class)
        .hasMessageContaining("INT64");
    assertThat(sum(1)).isEqualTo(LongStream.range(1, 1 + ROWS).sum());
  }

  /** The sum of numbers from one on that are on both sides of a join. */
  private long sum(long first) throws Exception {
    try (PlanAnswer answer =
        engine.run(
            SUM,
            Map.of(),
            Map.of(
                "left", ExchangedBatches.of(row("left"), numbers("left", first).iterator()),
                "right", ExchangedBatches.of(row("right"), numbers("right", first).iterator())),
            () -> false)) {
      assertThat(answer.loadNextBatch()).isTrue();
      return ((BigIntVector) answer.root().getVector(0)).get(0);
    }
  }

  private static RowType row(String input) {
    return SUM.inputs().get(input);
  }

  private static List<byte[]> numbers(String input, long first) throws Exception {
    List<byte[]> batches = new ArrayList<>();
    try (RootAllocator memory = new RootAllocator();
        VectorSchemaRoot batch = VectorSchemaRoot.create(ArrowTypes.schemaOf(row(input)), memory);
        BatchPartitioner partitioner =
            new BatchPartitioner(
                row(input),
                new Partitioning.Gather(),
                1,
                (partition, bytes) -> batches.add(bytes))) {
      BigIntVector values = (BigIntVector) batch.getVector(0);
      values.allocateNew(ROWS);
      for (int i = 0; i < ROWS; i++) {
        values.set(i, first + i);
      }
      batch.setRowCount(ROWS);
      partitioner.accept(batch);
      partitioner.flush();
    }
    return batches;
  }
}
