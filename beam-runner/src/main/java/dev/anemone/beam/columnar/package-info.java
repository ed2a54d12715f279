// SPDX-License-Identifier: Apache-2.0
/**
 * Whole queries in columns: in one task over tables of this machine, over rows that are gathered,
 * or in fragments that exchange batches.
 */
package dev.anemone.beam.columnar;
