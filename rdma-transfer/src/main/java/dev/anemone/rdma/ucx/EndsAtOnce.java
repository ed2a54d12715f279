// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

/**
 * Whether UCX ends operations of a connection while it is called, as it does over shared memory, or
 * later, as over a network. Learned in turns, asked by any thread.
 */
final class EndsAtOnce {

  /** So many in a row that ended later tell of the next. */
  private static final int TELLING = 16;

  private volatile int later;

  /** Whether the next one is likely to; true before anything is known. */
  boolean isLikely() {
    return later < TELLING;
  }

  /** One was begun, and had ended when UCX returned, or not. */
  void learn(boolean atOnce) {
    int before = later;
    int now = atOnce ? 0 : Math.min(before + 1, TELLING);
    if (now != before) {
      later = now;
    }
  }
}
