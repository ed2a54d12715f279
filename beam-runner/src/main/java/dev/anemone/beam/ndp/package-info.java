// SPDX-License-Identifier: Apache-2.0
/**
 * Reading of tables whose first operators may run where the data lies: splits of files, the source
 * and the operators of the IR, and the reader that runs what is not done elsewhere.
 *
 * <p>A read is a scan and a {@link dev.anemone.ir.relational.RelationalPlan}. NemoRunner makes of
 * it a source vertex, a vertex for each operator, and one that turns batches of Arrow into rows.
 * Batches go from one to the next by direct calls and are never encoded: the reader runs the
 * operators that follow it in its stage by one query of the engine.
 */
package dev.anemone.beam.ndp;
