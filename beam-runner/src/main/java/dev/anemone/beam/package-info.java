// SPDX-License-Identifier: Apache-2.0
/**
 * {@link dev.anemone.beam.NemoRunner}, and what becomes of a pipeline that it is given: checked,
 * translated, optimized, run, and a result.
 */
package dev.anemone.beam;
