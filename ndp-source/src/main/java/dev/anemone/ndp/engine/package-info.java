// SPDX-License-Identifier: Apache-2.0
/**
 * Runs plans on files that lie here: a plan is checked against its table, made a query of DuckDB,
 * an embedded engine of columns, and answered with batches of Arrow. The storage side uses it
 * beside the data, the compute side on bytes that it has read; so both give the same answer.
 */
package dev.anemone.ndp.engine;
