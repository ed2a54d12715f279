// SPDX-License-Identifier: Apache-2.0
/**
 * Blocks of other nodes by a transport of one-sided reads: an executor of the node where a block
 * lies reads it into registered memory, and whoever wants it reads it from there, as SparkRDMA's
 * fetchers do. What nobody serves so comes from the node's shuffle handler as ever.
 */
package dev.anemone.runtime.pull;
