// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.time.Instant;

/**
 * What a directory holds under a name.
 *
 * @param directory whether it is a directory
 * @param length bytes of the object; 0 for a directory
 * @param committed when the object was, by the clock of a server; the epoch for a directory
 */
public record PoolEntry(PoolPath path, boolean directory, long length, Instant committed) {}
