// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.runtime.spi.TaskContext;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the side inputs of a job may have of the heap of this JVM, in bytes of their elements as
 * they are encoded. Thread-safe.
 */
final class SideInputMemory {

  /**
   * Of what the operators of one task may hold on to. Decoded elements take several times the bytes
   * that they have encoded, so this is about all of one task's budget; it is the same for any
   * number of tasks, since they share the elements.
   */
  private static final int SHARES = 4;

  private final AtomicLong free;

  SideInputMemory(long bytes) {
    free = new AtomicLong(bytes);
  }

  /** The memory of the task's job. */
  static SideInputMemory of(TaskContext context) throws Exception {
    return context.shared(
        "beam-side-input-memory", () -> new SideInputMemory(context.memoryBudgetBytes() / SHARES));
  }

  /** Takes bytes, if there are so many. */
  boolean tryTake(long bytes) {
    if (free.addAndGet(-bytes) >= 0) {
      return true;
    }
    free.addAndGet(bytes);
    return false;
  }

  void giveBack(long bytes) {
    free.addAndGet(bytes);
  }
}
