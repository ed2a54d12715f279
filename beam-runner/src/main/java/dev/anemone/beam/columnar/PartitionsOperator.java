// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.runtime.spi.GroupOperator;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.AbstractIterator;

/**
 * Runs a query on the partitions of its exchanges, and gives batches: on several partitions at once
 * where they have few rows, as each run of the engine costs something.
 */
final class PartitionsOperator implements GroupOperator {

  /** The part of a task's memory that small partitions may have that wait for others. */
  private static final int MEMORY_SHARES = 4;

  private final PartitionedQuery partitioned;
  private final QuerySpec spec;
  private final NdpEngine engine;

  /** Of the exchanges, which are in the global window and have the default trigger. */
  private final GroupDecoder decoder =
      new GroupDecoder(
          GroupingSpec.of(WindowingStrategy.globalDefault()),
          VarIntCoder.of(),
          ExchangedBatch.BatchCoder.of(),
          GlobalWindow.Coder.INSTANCE);

  private final long pieceBytes;
  private List<ExchangedBatch> waiting = new ArrayList<>();
  private long waitingBytes;
  private long mostBytes;
  private boolean any;
  private Receiver output;
  private StepQueries queries;

  /**
   * An operator.
   *
   * @param engine of all of the job's tasks in this process
   * @param pieceBytes of rows that the query is run on at a time, roughly, unless one partition has
   *     more
   */
  PartitionsOperator(PartitionedQuery query, QuerySpec spec, NdpEngine engine, long pieceBytes) {
    this.partitioned = query;
    this.spec = spec;
    this.engine = engine;
    this.pieceBytes = pieceBytes;
  }

  @Override
  public void open(OperatorContext context) throws Exception {
    output = context.output(IREdge.MAIN);
    queries = new StepQueries(context);
    mostBytes = Math.min(pieceBytes, context.memoryBudgetBytes() / MEMORY_SHARES);
  }

  @Override
  public void acceptGroup(KeyGroup partition) throws Exception {
    KeyGroup.ReplayableValues values = partition.replayableValues();
    List<ExchangedBatch> own = new ArrayList<>();
    long bytes = 0;
    Iterator<ExchangedBatch> batches = batches(values);
    while (bytes <= mostBytes && batches.hasNext()) {
      ExchangedBatch batch = batches.next();
      own.add(batch);
      bytes += batch.rows().length;
    }
    if (bytes > mostBytes) {
      run(() -> batches(values));
    } else {
      if (waitingBytes + bytes > mostBytes) {
        runWaiting();
      }
      keep(own);
    }
  }

  /** Keeps a partition, without what each partition has all of if there is another one. */
  private void keep(List<ExchangedBatch> partition) {
    for (ExchangedBatch batch : partition) {
      if (!any || !partitioned.replicated().contains(batch.exchange())) {
        waiting.add(batch);
        waitingBytes += batch.rows().length;
      }
    }
    any = true;
  }

  private void runWaiting() throws Exception {
    if (any) {
      List<ExchangedBatch> batches = waiting;
      waiting = new ArrayList<>();
      waitingBytes = 0;
      any = false;
      run(batches);
    }
  }

  private void run(Iterable<ExchangedBatch> batches) throws Exception {
    queries.run(
        partitioned.query(),
        spec,
        engine,
        FragmentQuery.inputs(partitioned.query(), batches),
        output::accept);
  }

  private Iterator<ExchangedBatch> batches(KeyGroup.ReplayableValues values) {
    ValueCursor cursor;
    try {
      cursor = values.cursor();
    } catch (IOException e) {
      throw new UncheckedIOException("the batches of a partition cannot be read", e);
    }
    return new AbstractIterator<>() {
      @Override
      protected ExchangedBatch computeNext() {
        try {
          if (!cursor.next()) {
            return endOfData();
          }
          return (ExchangedBatch) decoder.readValue(cursor.value());
        } catch (IOException e) {
          throw new UncheckedIOException("the batches of a partition cannot be read", e);
        }
      }
    };
  }

  @Override
  public void finish() throws Exception {
    runWaiting();
    queries.report();
  }

  @Override
  public void close() {
    if (queries != null) {
      queries.close();
    }
  }
}
