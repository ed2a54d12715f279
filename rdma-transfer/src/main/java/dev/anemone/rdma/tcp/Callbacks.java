// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

/**
 * Knows whether a thread is inside a completion or a message handler, where it must not be made to
 * wait for the end of an operation.
 */
final class Callbacks {

  private static final ThreadLocal<int[]> DEPTH = ThreadLocal.withInitial(() -> new int[1]);

  private Callbacks() {}

  static void enter() {
    DEPTH.get()[0]++;
  }

  static void leave() {
    DEPTH.get()[0]--;
  }

  static boolean isInside() {
    return DEPTH.get()[0] > 0;
  }
}
