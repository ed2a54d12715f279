// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/**
 * What each task of a vertex occupies while it runs.
 *
 * @param memoryMb memory in megabytes (2^20 bytes), 0 for the engine's default
 * @param cores virtual cores, 0 for the engine's default
 * @param maxConcurrentTasks how many tasks of the vertex may run at once, 0 for no limit
 */
public record ResourceSlot(int memoryMb, int cores, int maxConcurrentTasks)
    implements VertexProperty {

  public ResourceSlot {
    if (memoryMb < 0 || cores < 0 || maxConcurrentTasks < 0) {
      throw new IllegalArgumentException(
          "memory, cores and concurrency must not be negative: "
              + memoryMb
              + " MB, "
              + cores
              + " cores, "
              + maxConcurrentTasks
              + " tasks");
    }
  }
}
