// SPDX-License-Identifier: Apache-2.0
/**
 * Relational operators that say what they do: scan, filter, project and aggregate over typed rows,
 * with a small expression tree. Other functions of a graph are opaque; these can be looked into,
 * taken apart, sent to where the data is and run there.
 *
 * <p>Which operators run beside the data is what Rachuri et al., <i>Optimizing Near-Data Processing
 * for Spark</i>, decide one by one, from the source on; so a plan is a scan and a list of
 * operators.
 *
 * <p>All values are immutable and thread-safe. What is built here is well typed, or was refused
 * with an {@link dev.anemone.ir.relational.InvalidPlanException}.
 */
package dev.anemone.ir.relational;
