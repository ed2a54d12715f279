// SPDX-License-Identifier: Apache-2.0
/**
 * Turns a Beam pipeline into the IR: one {@link dev.anemone.beam.translation.TransformTranslator}
 * for each transform that the runner knows, found by the transform's URN.
 */
package dev.anemone.beam.translation;
