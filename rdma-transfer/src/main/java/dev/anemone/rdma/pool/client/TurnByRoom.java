// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import java.util.Arrays;

/**
 * Whose turn it is among servers, in proportion to the room that each has: smooth weighted round
 * robin, the free pages being the weights. Not thread-safe.
 */
final class TurnByRoom {

  private final long[] free;
  private final long[] credit;

  /** Nothing is known of any server. */
  TurnByRoom(int servers) {
    this.free = new long[servers];
    this.credit = new long[servers];
  }

  /** A server has so many pages free. */
  void free(int server, long pages) {
    free[server] = pages;
  }

  /** Whether a server has room, as far as is known. */
  boolean hasRoom(int server) {
    return free[server] > 0;
  }

  /** Whether any server has room, as far as is known. */
  boolean hasRoom() {
    return Arrays.stream(free).anyMatch(pages -> pages > 0);
  }

  /** A page of a server was taken out of turn. */
  void taken(int server) {
    free[server] = Math.max(0, free[server] - 1);
  }

  /** The server whose turn it is, or -1 when all are full as far as is known. */
  int next() {
    int best = -1;
    long total = 0;
    for (int i = 0; i < free.length; i++) {
      if (free[i] > 0) {
        credit[i] += free[i];
        total += free[i];
        if (best < 0 || credit[i] > credit[best]) {
          best = i;
        }
      }
    }
    if (best >= 0) {
      credit[best] -= total;
      free[best]--;
    }
    return best;
  }
}
