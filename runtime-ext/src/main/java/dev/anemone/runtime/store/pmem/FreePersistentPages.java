// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import java.util.BitSet;

/**
 * The pages that no block has. Known to this process only: what is free follows from the blocks
 * that are found when the memory is opened. Thread-safe.
 */
final class FreePersistentPages {

  private final int[] free;
  private int count;

  /** All pages but those that are taken. */
  FreePersistentPages(int pages, BitSet taken) {
    free = new int[pages];
    for (int page = pages - 1; page >= 0; page--) {
      if (!taken.get(page)) {
        free[count++] = page;
      }
    }
  }

  /** A page, or -1 when there is none. */
  synchronized int tryTake() {
    return count == 0 ? -1 : free[--count];
  }

  /** As many pages as the array has elements, or false and none. */
  synchronized boolean tryTake(int[] pages) {
    if (count < pages.length) {
      return false;
    }
    for (int i = 0; i < pages.length; i++) {
      pages[i] = free[--count];
    }
    return true;
  }

  synchronized void giveBack(int[] pages) {
    for (int i = pages.length - 1; i >= 0; i--) {
      free[count++] = pages[i];
    }
  }

  synchronized int count() {
    return count;
  }
}
