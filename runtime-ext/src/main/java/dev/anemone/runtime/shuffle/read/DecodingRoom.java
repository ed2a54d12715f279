// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Room for one decompressed chunk of each run that is in memory, packed into pages. Only the room
 * that was begun last can grow. Used by one thread.
 */
final class DecodingRoom {

  /** The state of having none. */
  static final Mark NOTHING = new Mark(0, PagePool.PAGE_BYTES);

  private final TaskMemory memory;
  private final List<ByteBuffer> pages = new ArrayList<>();
  private int start = PagePool.PAGE_BYTES;
  private int end = PagePool.PAGE_BYTES;

  DecodingRoom(TaskMemory memory) {
    this.memory = memory;
  }

  /** A state to come back to. */
  record Mark(int pages, int end) {}

  Mark mark() {
    return new Mark(pages.size(), end);
  }

  /** Gives up what was begun after a mark; that of nothing gives all pages back. */
  void rewind(Mark mark) {
    while (pages.size() > mark.pages()) {
      memory.giveBack(pages.remove(pages.size() - 1));
    }
    end = mark.end();
    start = end;
  }

  /** Gives all pages back. */
  void clear() {
    rewind(NOTHING);
  }

  /** Begins the room of another run. */
  void begin() {
    start = end;
  }

  /**
   * Makes the room that was begun last at least so large, in another place where that is needed.
   *
   * @param bytes up to the size of a page
   * @return false when there is no page for it
   */
  boolean tryGrow(int bytes) {
    if (start + bytes > PagePool.PAGE_BYTES) {
      ByteBuffer page = memory.tryTake();
      if (page == null) {
        return false;
      }
      use(page);
    }
    end = Math.max(end, start + bytes);
    return true;
  }

  /** As {@link #tryGrow}, but waits for a page where one has to come. */
  void grow(int bytes) throws InterruptedException {
    if (start + bytes > PagePool.PAGE_BYTES) {
      use(memory.take("decompressing fetched chunks"));
    }
    end = Math.max(end, start + bytes);
  }

  private void use(ByteBuffer page) {
    pages.add(page);
    start = 0;
    end = 0;
  }

  /** The page that the room begun last lies in. */
  ByteBuffer page() {
    return pages.get(pages.size() - 1);
  }

  /** Where the room begun last starts in its page. */
  int start() {
    return start;
  }
}
