// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Takes pages in numbers, all or none at a time, so that two batches never have half of their pages
 * each and wait for the other half. Thread-safe.
 */
public final class PageReserve {

  private final TaskMemory memory;

  PageReserve(TaskMemory memory) {
    this.memory = memory;
  }

  /** Pages that hold some bytes. */
  public static long pagesFor(long bytes) {
    return (bytes + PagePool.PAGE_BYTES - 1) / PagePool.PAGE_BYTES;
  }

  /** Whether so many bytes fit when nothing else is in memory. */
  boolean canEverHold(long bytes) {
    return pagesFor(bytes) * PagePool.PAGE_BYTES <= memory.budgetBytes();
  }

  /** Extends a list to a number of pages, or leaves it as it is and returns false. */
  synchronized boolean extend(List<ByteBuffer> pages, long size) {
    int before = pages.size();
    while (pages.size() < size) {
      ByteBuffer page = memory.tryTake();
      if (page == null) {
        shrink(pages, before);
        return false;
      }
      pages.add(page);
    }
    return true;
  }

  /** Gives the last pages of a list back, so that a number of them remains. */
  void shrink(List<ByteBuffer> pages, long size) {
    while (pages.size() > size) {
      memory.giveBack(pages.remove(pages.size() - 1));
    }
  }

  void giveBack(ByteBuffer page) {
    memory.giveBack(page);
  }
}
