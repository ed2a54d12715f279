// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.transfer.announcement.BlockLocation;

/**
 * Tells the partitions of other nodes apart in {@link
 * dev.anemone.runtime.store.ReadStatistics#count statistics}: a request for any of them is a seek.
 */
public record RemotePartition(BlockLocation location, BlockId id, int partition) {}
