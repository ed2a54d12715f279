// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import java.util.BitSet;

/**
 * What a server knows of the others: which it reaches, which are dead for certain, and which it has
 * lost, so that they may live and take this one for dead. Immutable.
 *
 * @param self number of this server
 * @param servers how many the pool has
 * @param up others that are reached
 * @param dead others that have ended, or were never there
 */
record PeerStates(int self, int servers, BitSet up, BitSet dead) {

  /** Whether another one is neither reached nor dead for certain. */
  boolean isLost(int server) {
    return server != self && !up.get(server) && !dead.get(server);
  }

  /**
   * Whether this server has lost so many that they, if they live, are the pool: more than it
   * reaches, or as many and the first of all among them. Two parts of a pool never both go on, as
   * long as each of them reaches none of the other.
   */
  boolean isFenced() {
    int reached = 0;
    int lost = 0;
    int first = -1;
    for (int server = 0; server < servers; server++) {
      boolean lives = server == self || !dead.get(server) || up.get(server);
      if (lives && first < 0) {
        first = server;
      }
      if (isLost(server)) {
        lost++;
      } else if (lives) {
        reached++;
      }
    }
    return lost > reached || (lost == reached && isLost(first));
  }
}
