// SPDX-License-Identifier: Apache-2.0
/**
 * Spills, and what is done to sorted runs: written out when memory is full, merged, combined by
 * key.
 */
package dev.anemone.runtime.shuffle.merge;
