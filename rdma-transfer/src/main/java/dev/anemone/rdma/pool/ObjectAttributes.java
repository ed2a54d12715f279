// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * What the pool knows of a committed object.
 *
 * @param length bytes
 * @param committed when, by the clock of the server that has its name
 * @param tiers where its pages lie
 * @param servers that hold its pages
 */
public record ObjectAttributes(
    PoolPath path,
    ObjectId id,
    long length,
    Instant committed,
    Lifetime lifetime,
    Set<TierKind> tiers,
    List<ServerAddress> servers) {}
