// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.EngineDirectory;
import dev.anemone.beam.ndp.NdpEngineMemory;
import dev.anemone.beam.options.ColumnarMemory;
import dev.anemone.beam.options.DeployMode;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import java.io.Serializable;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * What a query that one task runs may read and use.
 *
 * @param tables those of the query's inputs, by name
 * @param threads that work on it
 * @param memoryBytes of the engine off the heap; what does not fit goes to disk
 * @param diskParent where on disk, as {@link EngineDirectory#parent} says
 */
record QuerySpec(
    TreeMap<String, QueryTable> tables, int threads, long memoryBytes, String diskParent)
    implements Serializable {

  /** Disk for what does not fit into memory, in bytes. */
  private static final long SPILL_BYTES = 1L << 40;

  /** A query takes as long as it takes: who waits for it can cancel the job. */
  private static final Duration DEADLINE = Duration.ofDays(365);

  /** Of a query that is alone in its process: all slots, and what all of them may have. */
  static QuerySpec alone(Map<String, QueryTable> tables, PipelineOptions options) {
    return new QuerySpec(
        new TreeMap<>(tables),
        options.as(NemoPipelineOptions.class).getSlots(),
        ColumnarMemory.of(options.as(NemoPipelineOptions.class)).bytes(),
        EngineDirectory.parent(options));
  }

  /** Of a query that runs in one slot beside others, on what comes over exchanges. */
  static QuerySpec inSlot(PipelineOptions options) {
    return new QuerySpec(
        new TreeMap<>(),
        1,
        ColumnarMemory.inSlot(options).bytes(),
        EngineDirectory.parent(options));
  }

  /** Of all such queries of a process together. */
  static QuerySpec ofSlots(PipelineOptions options) {
    int slots =
        DeployMode.of(options.as(NemoPipelineOptions.class)) == DeployMode.LOCAL
            ? Math.max(1, options.as(NemoPipelineOptions.class).getSlots())
            : 1;
    return new QuerySpec(
        new TreeMap<>(),
        slots,
        slots * ColumnarMemory.inSlot(options).bytes(),
        EngineDirectory.parent(options));
  }

  /** The same with as many threads. */
  QuerySpec withThreads(int others) {
    return new QuerySpec(tables, others, memoryBytes, diskParent);
  }

  /** What it takes in all outside of the heap. */
  long nativeBytes() {
    return new NdpEngineMemory(memoryBytes).nativeBytes();
  }

  /** A new engine for it. */
  NdpEngine engine() {
    return new NdpEngine(limits());
  }

  /** What an engine for it may use. */
  NdpEngineLimits limits() {
    return new NdpEngineLimits(
            threads, memoryBytes, SPILL_BYTES, DEADLINE, EngineDirectory.of(diskParent))
        .withMemoryOption("columnarMemoryMb");
  }
}
