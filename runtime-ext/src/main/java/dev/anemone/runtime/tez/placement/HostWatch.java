// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.placement;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Knows since when hosts cannot be used, so that nobody waits forever for one. Thread-safe.
 *
 * <p>A host of which nothing was heard is taken to be usable.
 */
final class HostWatch {

  private final Duration patience;
  private final LongSupplier clock;

  /** Time in ms at which a host was lost. */
  private final Map<String, Long> lostAt = new HashMap<>();

  /**
   * @param patience how long a host may be lost before it is given up
   * @param clock time in ms since any moment
   */
  HostWatch(Duration patience, LongSupplier clock) {
    this.patience = patience;
    this.clock = clock;
  }

  Duration patience() {
    return patience;
  }

  synchronized void usable(String host) {
    lostAt.remove(host);
  }

  synchronized void lost(String host) {
    lostAt.putIfAbsent(host, clock.getAsLong());
  }

  /** Whether all of these hosts have been lost for longer than it pays to wait. */
  synchronized boolean areGivenUp(Collection<String> hosts) {
    long now = clock.getAsLong();
    return hosts.stream()
        .allMatch(
            host -> lostAt.containsKey(host) && now - lostAt.get(host) >= patience.toMillis());
  }
}
