// SPDX-License-Identifier: Apache-2.0
/**
 * What the runner writes into the IR for its sources, operators and coders: one serializable record
 * for each kind of {@link dev.anemone.ir.function.FunctionSpec} payload.
 */
package dev.anemone.beam.spec;
