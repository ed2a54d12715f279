// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.spec.StepPayload;
import dev.anemone.ir.relational.json.QueryJson;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/**
 * A query over whole tables, which one task runs: the payload of its source vertex.
 *
 * @param stepName the full name of the transform
 * @param queryJson the query, see {@link QueryJson}
 * @param tables those of the query's inputs, by name
 * @param threads that work on it
 * @param memoryBytes of the engine off the heap; what does not fit goes to disk
 */
record QuerySpec(
    String stepName,
    String queryJson,
    TreeMap<String, QueryTable> tables,
    int threads,
    long memoryBytes)
    implements StepPayload {

  RelationalQuery query() {
    return QueryJson.read(queryJson.getBytes(StandardCharsets.UTF_8));
  }
}
