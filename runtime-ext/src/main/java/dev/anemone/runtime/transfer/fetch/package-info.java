// SPDX-License-Identifier: Apache-2.0
/**
 * In what order a task fetches blocks of other nodes, and whom it blames for those that it cannot
 * have.
 *
 * <p>A node that fails is remembered and its blocks wait behind those of others, as in the penalty
 * box of the fetchers of Hadoop MapReduce and Tez. What is new here is that a consumer asks whether
 * it is itself cut off before it blames anybody.
 */
package dev.anemone.runtime.transfer.fetch;
