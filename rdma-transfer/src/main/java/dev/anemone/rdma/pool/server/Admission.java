// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.AccessToken;
import java.time.Duration;
import java.util.Optional;

/**
 * Whom a server listens to before it knows who they are, and whom it obeys.
 *
 * @param connections that there may be at a time, of clients, other servers and strangers together
 * @param handshake in which whoever connects must have proved that it has the token, however much
 *     it says meanwhile
 * @param operator the token of those who may stop it; empty when nobody may over the network
 */
public record Admission(int connections, Duration handshake, Optional<AccessToken> operator) {

  /** 1,024. */
  public static final int DEFAULT_CONNECTIONS = 1_024;

  /** 10 s. */
  public static final Duration DEFAULT_HANDSHAKE = Duration.ofSeconds(10);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException with a sentence that says what would be right
   */
  public Admission {
    if (connections < 1) {
      throw new IllegalArgumentException(
          connections + " connections are not enough for a pool server: give 1 at least.");
    }
    if (handshake.toMillis() < 1) {
      throw new IllegalArgumentException("The time for a handshake must be 1 ms at least.");
    }
  }

  /** The defaults; nobody may stop it. */
  public static Admission usual() {
    return new Admission(DEFAULT_CONNECTIONS, DEFAULT_HANDSHAKE, Optional.empty());
  }

  /** With somebody who may stop it. */
  public Admission withOperator(AccessToken token) {
    return new Admission(connections, handshake, Optional.of(token));
  }
}
