// SPDX-License-Identifier: Apache-2.0
/**
 * Push: map tasks send partitions to the receivers of aggregation tasks, and know of every batch
 * whether it has arrived. Batches go over TCP by Netty, or are read by the receiver over a
 * transport of one-sided operations.
 */
package dev.anemone.runtime.push;
