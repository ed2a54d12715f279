// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

/**
 * What a directory holds under a name.
 *
 * @param directory whether it is a directory
 * @param length bytes of the object; 0 for a directory
 */
public record PoolEntry(PoolPath path, boolean directory, long length) {}
