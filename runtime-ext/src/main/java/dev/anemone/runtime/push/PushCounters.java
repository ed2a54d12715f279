// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

/**
 * What a {@link PushReceiver} has seen so far.
 *
 * @param batches batches that it has acknowledged
 * @param bytes bytes of their entries
 * @param refusedBatches batches that it has refused, for want of memory or because they were stale
 */
public record PushCounters(long batches, long bytes, long refusedBatches) {}
