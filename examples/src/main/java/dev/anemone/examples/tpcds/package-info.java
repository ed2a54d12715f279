// SPDX-License-Identifier: Apache-2.0
/**
 * TPC-DS in Beam SQL: the data (generated once, kept on disk), the 24 tables, and the queries.
 *
 * <p>{@link dev.anemone.examples.tpcds.Tpcds} is the program. The text of query N is {@code
 * resources/.../tpcds/qNN.sql}.
 */
package dev.anemone.examples.tpcds;
