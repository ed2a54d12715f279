// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchReceiver;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.engine.NdpEngineException;
import dev.anemone.ndp.engine.PlanAnswer;
import dev.anemone.ndp.engine.Table;
import dev.anemone.runtime.spi.Receiver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a query in the engine, and gives its rows as batches of Arrow. */
final class QueryReader {

  private static final Logger LOG = LoggerFactory.getLogger(QueryReader.class);

  private final RelationalQuery query;
  private final QuerySpec spec;

  QueryReader(RelationalQuery query, QuerySpec spec) {
    this.query = query;
    this.spec = spec;
  }

  /**
   * Runs the query over tables. Where the engine's memory does not suffice for all of its threads,
   * the query runs again with half of them, down to one, which is slower and needs less.
   *
   * @throws InterruptedException when the thread is interrupted meanwhile; the query is stopped
   */
  void read(Receiver output) throws Exception {
    QuerySpec tried = spec;
    while (true) {
      BatchCount given = new BatchCount(output);
      try {
        new QueryReader(query, tried).run(Map.of(), given);
        return;
      } catch (NdpEngineException e) {
        if (!e.isOutOfMemory() || given.batches > 0 || tried.threads() == 1) {
          throw e;
        }
        QuerySpec fewer = tried.withThreads(tried.threads() / 2);
        LOG.warn(
            "The engine's {} MB of memory do not suffice for {} threads, so the query runs again"
                + " with {}; --columnarMemoryMb gives it more",
            tried.memoryBytes() >> 20,
            tried.threads(),
            fewer.threads());
        tried = fewer;
      }
    }
  }

  /** Counts what was given on: of a query that has given something, nothing may come again. */
  private static final class BatchCount implements BatchReceiver {

    private final Receiver output;
    private long batches;

    private BatchCount(Receiver output) {
      this.output = output;
    }

    @Override
    public void accept(VectorSchemaRoot batch) throws Exception {
      batches++;
      output.accept(batch);
    }
  }

  /**
   * Runs the query.
   *
   * @param batches those of each input that is no table; closed by this
   */
  void run(Map<String, ArrowReader> batches, BatchReceiver output) throws Exception {
    try (NdpEngine engine = spec.engine()) {
      run(engine, batches, output);
    }
  }

  /**
   * Runs the query in an engine that others use, too.
   *
   * @param batches as above
   * @throws InterruptedException when the thread is interrupted meanwhile; the query is stopped
   */
  void run(NdpEngine engine, Map<String, ArrowReader> batches, BatchReceiver output)
      throws Exception {
    Map<String, List<Table>> tables = new HashMap<>();
    spec.tables().forEach((name, table) -> tables.put(name, table.tables()));
    Thread task = Thread.currentThread();
    try (PlanAnswer answer = engine.run(query, tables, batches, task::isInterrupted)) {
      while (answer.loadNextBatch()) {
        output.accept(answer.root());
      }
      StepQueries.count(answer.operators());
    } catch (RuntimeException e) {
      if (Thread.interrupted()) {
        InterruptedException stopped =
            new InterruptedException("the task was stopped while it ran its query");
        stopped.initCause(e);
        throw stopped;
      }
      throw e;
    }
  }
}
