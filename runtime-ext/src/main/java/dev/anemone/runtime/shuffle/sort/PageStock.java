// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.sort;

import dev.anemone.runtime.memory.TaskMemory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** Pages that one owner took from a task's memory and keeps for reuse. Used by one thread. */
final class PageStock implements AutoCloseable {

  private final TaskMemory memory;
  private final String purpose;
  private final int least;
  private final Deque<ByteBuffer> idle = new ArrayDeque<>();
  private int held;

  /**
   * A stock without pages.
   *
   * @param purpose what the pages are for, for the message of an exception
   * @param least pages that the owner cannot do without
   */
  PageStock(TaskMemory memory, String purpose, int least) {
    this.memory = memory;
    this.purpose = purpose;
    this.least = least;
  }

  /**
   * An idle page, or else a new one; null when there are none left to be had.
   *
   * @throws dev.anemone.runtime.memory.MemoryExhaustedException when not even the pages are to be
   *     had that the owner cannot do without
   */
  ByteBuffer tryTake() throws InterruptedException {
    ByteBuffer page = idle.poll();
    if (page == null) {
      page = held < least ? memory.take(purpose) : memory.tryTake();
      if (page != null) {
        held++;
      }
    }
    return page;
  }

  /** Keeps a page for the next {@link #tryTake}. */
  void putBack(ByteBuffer page) {
    idle.push(page);
  }

  /** Gives the pages back to the task's memory; all of them must have been put back. */
  @Override
  public void close() {
    while (!idle.isEmpty()) {
      memory.giveBack(idle.pop());
      held--;
    }
  }
}
