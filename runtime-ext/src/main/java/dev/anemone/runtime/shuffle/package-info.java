// SPDX-License-Identifier: Apache-2.0
/**
 * The kernel of a shuffle: records as bytes, sorted, spilled, merged and combined within a memory
 * budget. Knows of stores and memory, but not of stages, Tez or networks.
 */
package dev.anemone.runtime.shuffle;
