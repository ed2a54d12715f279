// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the pool knows of a committed object.
 *
 * @param length bytes
 * @param committed when, by the clock of the server that has its name
 * @param expires when the pool deletes it, by the same clock; empty for never
 * @param tiers where its pages lie
 * @param servers that hold its pages
 */
public record ObjectAttributes(
    PoolPath path,
    ObjectId id,
    long length,
    Instant committed,
    Optional<Instant> expires,
    Lifetime lifetime,
    Set<TierKind> tiers,
    List<ServerAddress> servers) {}
