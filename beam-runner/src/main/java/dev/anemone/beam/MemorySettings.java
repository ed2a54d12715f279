// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.options.OptionCheck;
import dev.anemone.runtime.engine.ExecutorGroup;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.memory.DirectMemory;
import dev.anemone.runtime.tez.container.ContainerSizes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How much memory tasks may have.
 *
 * @param taskBytes what the operators of a task may hold on the heap before they spill
 * @param offHeapBytes direct memory for the data between stages, of this JVM or of each executor
 * @param nativeBytes what each executor has besides; 0 in this JVM, where nobody counts it
 */
record MemorySettings(long taskBytes, long offHeapBytes, long nativeBytes) {

  private static final long MAX_DEFAULT_OFF_HEAP_BYTES = 2L << 30;
  private static final long MIN_TASK_BYTES = 16L << 20;

  /**
   * In this JVM.
   *
   * @param slots tasks that share it
   * @throws InvalidPipelineException when an option asks for too little or too much
   */
  static MemorySettings inProcess(NemoPipelineOptions options, int slots) {
    long offHeapLimit = DirectMemory.limitBytes();
    return new MemorySettings(
        taskBytes(options, Runtime.getRuntime().maxMemory() / slots),
        offHeapBytes(
                options,
                offHeapLimit,
                "the direct memory that this JVM allows; -XX:MaxDirectMemorySize raises it")
            .orElseGet(
                () ->
                    Math.max(
                        JobEngineOptions.MIN_OFF_HEAP_BYTES,
                        Math.min(offHeapLimit / 2, MAX_DEFAULT_OFF_HEAP_BYTES))),
        0);
  }

  /**
   * In executors of a cluster. What the smallest one has room for is right for all.
   *
   * @param nativeBytes that a task takes outside of heap and data plane
   * @throws InvalidPipelineException when an option asks for too little or too much
   */
  static MemorySettings inExecutors(
      NemoPipelineOptions options, List<ExecutorGroup> groups, long nativeBytes) {
    ExecutorGroup smallest =
        groups.stream().min(Comparator.comparingInt(ExecutorGroup::memoryMb)).orElseThrow();
    long copies = StoreSettings.cacheBytes(options);
    ContainerSizes chosen = sizes(smallest, nativeBytes, copies, Optional.empty());
    long room = chosen.offHeapBytes() + ((long) chosen.heapMb() << 20);
    Optional<Long> given =
        offHeapBytes(
            options,
            room / 2,
            "half of what an executor of " + smallest.memoryMb() + " MB has for heap and data");
    ContainerSizes sizes = given.isPresent() ? sizes(smallest, nativeBytes, copies, given) : chosen;
    return new MemorySettings(
        taskBytes(options, (long) sizes.heapMb() << 20), sizes.offHeapBytes(), nativeBytes);
  }

  private static ContainerSizes sizes(
      ExecutorGroup group, long nativeBytes, long copies, Optional<Long> offHeapBytes) {
    return ContainerSizes.of(group.memoryMb(), group.cores(), nativeBytes, offHeapBytes)
        .withDirect(copies, "copies of the memory pool's pages (--memoryPoolCacheMb)");
  }

  /**
   * Bytes for a task's operators.
   *
   * @param heapBytes the part of the heap that belongs to the task
   */
  private static long taskBytes(NemoPipelineOptions options, long heapBytes) {
    int megabytes =
        OptionCheck.atLeast(0, "taskMemoryMb", options.getTaskMemoryMb(), "MB of memory per task");
    return megabytes > 0 ? (long) megabytes << 20 : Math.max(MIN_TASK_BYTES, heapBytes / 2);
  }

  private static Optional<Long> offHeapBytes(
      NemoPipelineOptions options, long limit, String limitIs) {
    int megabytes =
        OptionCheck.atLeast(
            0, "offHeapMemoryMb", options.getOffHeapMemoryMb(), "MB of off-heap memory");
    if (megabytes == 0) {
      return Optional.empty();
    }
    long bytes = (long) megabytes << 20;
    if (bytes < JobEngineOptions.MIN_OFF_HEAP_BYTES || bytes > limit) {
      throw new InvalidPipelineException(
          "--offHeapMemoryMb="
              + megabytes
              + " must be at least "
              + (JobEngineOptions.MIN_OFF_HEAP_BYTES >> 20)
              + " and at most "
              + (limit >> 20)
              + ", "
              + limitIs
              + ".");
    }
    return Optional.of(bytes);
  }
}
