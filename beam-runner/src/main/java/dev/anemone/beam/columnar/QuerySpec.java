// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.options.ColumnarMemory;
import dev.anemone.beam.options.ColumnarOptions;
import dev.anemone.beam.options.NemoPipelineOptions;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * What a query that one task runs may read and use.
 *
 * @param tables those of the query's inputs, by name
 * @param threads that work on it
 * @param memoryBytes of the engine off the heap; what does not fit goes to disk
 */
record QuerySpec(TreeMap<String, QueryTable> tables, int threads, long memoryBytes)
    implements Serializable {

  /** Of a query that is alone in its process: all slots, and what all of them may have. */
  static QuerySpec alone(Map<String, QueryTable> tables, PipelineOptions options) {
    return new QuerySpec(
        new TreeMap<>(tables),
        options.as(NemoPipelineOptions.class).getSlots(),
        ColumnarMemory.of(options.as(ColumnarOptions.class)).bytes());
  }

  /** Of a query that runs in one slot beside others, on what comes over exchanges. */
  static QuerySpec inSlot(PipelineOptions options) {
    return new QuerySpec(new TreeMap<>(), 1, ColumnarMemory.inSlot(options).bytes());
  }
}
