// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchReceiver;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.engine.PlanAnswer;
import dev.anemone.ndp.engine.Table;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.SourceReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.ipc.ArrowReader;

/** Runs a query in the engine, and gives its rows as batches of Arrow. */
final class QueryReader implements SourceReader {

  private final RelationalQuery query;
  private final QuerySpec spec;

  QueryReader(RelationalQuery query, QuerySpec spec) {
    this.query = query;
    this.spec = spec;
  }

  /**
   * Runs the query over tables.
   *
   * @throws InterruptedException when the thread is interrupted meanwhile; the query is stopped
   */
  @Override
  public void read(Receiver output) throws Exception {
    run(Map.of(), output::accept);
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
