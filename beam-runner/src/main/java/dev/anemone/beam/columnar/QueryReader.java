// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchReceiver;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.engine.NdpEngineLimits;
import dev.anemone.ndp.engine.PlanAnswer;
import dev.anemone.ndp.engine.Table;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.SourceReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.ipc.ArrowReader;

/** Runs a query in the engine, and gives its rows as batches of Arrow. */
final class QueryReader implements SourceReader {

  /** Disk for what does not fit into memory, in bytes. */
  private static final long SPILL_BYTES = 1L << 40;

  /** A query takes as long as it takes: who waits for it can cancel the job. */
  private static final Duration DEADLINE = Duration.ofDays(365);

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
    Map<String, List<Table>> tables = new HashMap<>();
    spec.tables().forEach((name, table) -> tables.put(name, table.tables()));
    Thread task = Thread.currentThread();
    NdpEngineLimits limits =
        new NdpEngineLimits(
            spec.threads(),
            spec.memoryBytes(),
            SPILL_BYTES,
            DEADLINE,
            Path.of(System.getProperty("java.io.tmpdir")));
    try (NdpEngine engine = new NdpEngine(limits);
        PlanAnswer answer = engine.run(query, tables, batches, task::isInterrupted)) {
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
