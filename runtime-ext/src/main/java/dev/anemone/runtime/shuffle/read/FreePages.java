// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Finds out how many pages are to be had, by taking them: other tasks use the same pool. */
final class FreePages {

  private FreePages() {}

  /** Whether so many are to be had now. */
  static boolean atLeast(long wanted, TaskMemory memory) {
    long inBudget = (memory.budgetBytes() - memory.usedBytes()) / PagePool.PAGE_BYTES;
    return wanted <= inBudget && upTo((int) wanted, memory) == wanted;
  }

  /** How many of those wanted are to be had now. */
  static int upTo(int wanted, TaskMemory memory) {
    List<ByteBuffer> pages = new ArrayList<>();
    while (pages.size() < wanted) {
      ByteBuffer page = memory.tryTake();
      if (page == null) {
        break;
      }
      pages.add(page);
    }
    pages.forEach(memory::giveBack);
    return pages.size();
  }
}
