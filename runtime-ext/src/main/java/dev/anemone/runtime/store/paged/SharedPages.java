// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.paged;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The pages of a memory store. What a block leaves free of its last page goes to the next block, so
 * that many small blocks take little more than their bytes. Thread-safe.
 */
final class SharedPages {

  /** A page with less room than this is full. */
  private static final int MIN_ROOM_BYTES = PagePool.PAGE_BYTES / 64;

  private final TaskMemory memory;
  private final Deque<SharedPage> open = new ArrayDeque<>();

  SharedPages(TaskMemory memory) {
    this.memory = memory;
  }

  /** A page with room, which the caller owns and alone appends to; null when memory is used up. */
  synchronized SharedPage take() {
    SharedPage page = open.poll();
    if (page == null) {
      ByteBuffer bytes = memory.tryTake();
      if (bytes == null) {
        return null;
      }
      page = new SharedPage(bytes);
    }
    page.begin();
    page.owners++;
    return page;
  }

  /** Lets others append to a page, behind what is there; the caller still owns its part. */
  synchronized void share(SharedPage page) {
    if (page.room() >= MIN_ROOM_BYTES) {
      open.push(page);
    }
  }

  /** Ends a block's ownership of pages; those that nobody owns any more are free again. */
  synchronized void release(List<SharedPage> pages) {
    for (SharedPage page : pages) {
      page.owners--;
      if (page.owners == 0) {
        open.remove(page);
        memory.giveBack(page.bytes());
      }
    }
  }

  /** Ends the ownership of a writer that wrote in vain; its parts of the pages are free again. */
  synchronized void takeBack(List<SharedPage> pages) {
    for (SharedPage page : pages) {
      page.takeBack();
      share(page);
    }
    release(pages);
  }
}
