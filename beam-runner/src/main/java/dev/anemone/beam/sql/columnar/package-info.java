// SPDX-License-Identifier: Apache-2.0
/**
 * Cuts the parts out of a query that can be said in the relational IR, and runs each of them in the
 * columnar engine.
 */
package dev.anemone.beam.sql.columnar;
