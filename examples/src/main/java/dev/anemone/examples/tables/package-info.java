// SPDX-License-Identifier: Apache-2.0
/**
 * Data sets of files as tables of Beam SQL: lines of text with {@code |} behind each column, as the
 * generators of the TPC write them, or Parquet.
 *
 * <p>{@link dev.anemone.examples.tables.DataSet} finds the files or has them generated; {@link
 * dev.anemone.examples.tables.TableAccess} makes a query read them.
 */
package dev.anemone.examples.tables;
