// SPDX-License-Identifier: Apache-2.0
/**
 * TPC-H in Beam SQL: the data (generated once, kept on disk), the eight tables, and the queries.
 *
 * <p>{@link dev.anemone.examples.tpch.Tpch} is the program. The text of query N is {@code
 * resources/.../tpch/qNN.sql}, the standard text; {@code tpch/beam/qNN.sql} says the same in what
 * Beam SQL's own planner can do, where that is less.
 */
package dev.anemone.examples.tpch;
