// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import java.util.BitSet;

/**
 * The chunks that no block has. Known to this process only: what is free follows from the blocks
 * that are found when the memory is opened. Thread-safe.
 */
final class FreePersistentPages {

  private final int[] free;
  private int count;

  /** All chunks but those that are taken. */
  FreePersistentPages(int chunks, BitSet taken) {
    free = new int[chunks];
    for (int chunk = chunks - 1; chunk >= 0; chunk--) {
      if (!taken.get(chunk)) {
        free[count++] = chunk;
      }
    }
  }

  /** A chunk, or -1 when there is none. */
  synchronized int tryTake() {
    return count == 0 ? -1 : free[--count];
  }

  /** As many chunks as the array has elements, or false and none. */
  synchronized boolean tryTake(int[] chunks) {
    if (count < chunks.length) {
      return false;
    }
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = free[--count];
    }
    return true;
  }

  synchronized void giveBack(int[] chunks) {
    for (int i = chunks.length - 1; i >= 0; i--) {
      free[count++] = chunks[i];
    }
  }

  synchronized int count() {
    return count;
  }
}
