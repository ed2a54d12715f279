// SPDX-License-Identifier: Apache-2.0
/**
 * Batches of Arrow on their way between tasks: divided into partitions, as bytes, and read again.
 */
package dev.anemone.ndp.exchange;
