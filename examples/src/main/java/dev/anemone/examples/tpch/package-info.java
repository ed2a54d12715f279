/**
 * TPC-H in Beam SQL: the data (generated once, kept on disk), the eight tables, and the queries.
 *
 * <p>{@link dev.anemone.examples.tpch.Tpch} is the program. To add a query, put its text under
 * {@code resources/.../tpch/qNN.sql} and one line into {@link
 * dev.anemone.examples.tpch.TpchQuery#ALL}.
 */
package dev.anemone.examples.tpch;
