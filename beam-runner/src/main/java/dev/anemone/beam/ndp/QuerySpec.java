// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import java.io.Serializable;
import java.util.TreeMap;

/**
 * What a query over whole tables reads, which one task runs: the payload of its source's only part.
 *
 * @param tables those of the query's inputs, by name
 * @param threads that work on it
 * @param memoryBytes of the engine off the heap; what does not fit goes to disk
 */
record QuerySpec(TreeMap<String, QueryTable> tables, int threads, long memoryBytes)
    implements Serializable {}
