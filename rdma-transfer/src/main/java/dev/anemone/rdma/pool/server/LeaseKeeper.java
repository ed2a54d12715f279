// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after what nobody else would: connections of clients that say nothing, names whose owners
 * are not connected (their other server died with the knowledge), objects whose time is over, pages
 * without a name. One thread runs it, several times in a lease.
 */
final class LeaseKeeper implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

  private final Duration lease;
  private final Duration handshake;
  private final AcceptedConnections connections;
  private final Quarantine quarantine;
  private final Peers peers;
  private final NameService names;
  private final Reconciliation reconciliation;
  private final AtomicBoolean doubt;
  private final Map<UUID, Long> missingSince = new HashMap<>();

  /**
   * A lease keeper.
   *
   * @param handshake how long a stranger may take to prove who it is
   * @param doubt true when there may be pages without a name
   */
  LeaseKeeper(
      Duration lease,
      Duration handshake,
      AcceptedConnections connections,
      Quarantine quarantine,
      Peers peers,
      NameService names,
      Reconciliation reconciliation,
      AtomicBoolean doubt) {
    this.lease = lease;
    this.handshake = handshake;
    this.connections = connections;
    this.quarantine = quarantine;
    this.peers = peers;
    this.names = names;
    this.reconciliation = reconciliation;
    this.doubt = doubt;
  }

  @Override
  public void run() {
    try {
      connections.all().forEach(connection -> connection.closeIfOverdue(lease, handshake));
      quarantine.releaseOfTheDead();
      peers.ping();
      names.owned().remove(overdue());
      names.owned().removeOverdue(System.currentTimeMillis());
      if (doubt.getAndSet(false) && !reconciliation.run()) {
        doubt.set(true);
      }
    } catch (RuntimeException e) {
      // The next run does what this one did not.
      doubt.set(true);
      LOG.error("leases could not be looked after", e);
    }
  }

  /** Clients that own something here and have not been connected for a lease. */
  private Set<UUID> overdue() {
    long now = System.nanoTime();
    Set<UUID> owners = names.owned().owners();
    owners.removeIf(connections::isLive);
    missingSince.keySet().retainAll(owners);
    Set<UUID> overdue = new HashSet<>();
    for (UUID owner : owners) {
      if (now - missingSince.computeIfAbsent(owner, ignored -> now) > lease.toNanos()) {
        overdue.add(owner);
      }
    }
    return overdue;
  }
}
