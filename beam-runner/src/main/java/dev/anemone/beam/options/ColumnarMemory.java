// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import com.sun.management.OperatingSystemMXBean;
import dev.anemone.runtime.engine.ExecutorGroup;
import java.lang.management.ManagementFactory;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * The memory of the engine that runs whole queries.
 *
 * @param bytes that its tables and tuples may take; beyond that they go to disk
 */
public record ColumnarMemory(long bytes) {

  private static final long LEAST_BYTES = 256L << 20;

  /** How many such parts an executor has: beside this are its heap, its pages and the JVM. */
  private static final int EXECUTOR_PART = 6;

  /** With less the engine cannot begin. */
  private static final long LEAST_IN_SLOT = 64L << 20;

  /**
   * Of a query in one slot beside others: what is said, divided among the slots of this machine; or
   * what a task has by default, on YARN a part of its executor.
   */
  public static ColumnarMemory inSlot(PipelineOptions options) {
    long said = (long) options.as(NemoPipelineOptions.class).getColumnarMemoryMb() << 20;
    ClusterOptions cluster = options.as(NemoPipelineOptions.class);
    if (DeployMode.of(cluster) == DeployMode.YARN) {
      long ofExecutor = ((long) executorMb(cluster) << 20) / EXECUTOR_PART;
      return new ColumnarMemory(Math.max(LEAST_IN_SLOT, said > 0 ? said : ofExecutor));
    }
    int slots = Math.max(1, options.as(NemoPipelineOptions.class).getSlots());
    return new ColumnarMemory(said > 0 ? Math.max(LEAST_IN_SLOT, said / slots) : LEAST_BYTES);
  }

  /** Memory of the smallest executor, in MB. */
  private static int executorMb(ClusterOptions options) {
    if (options.getExecutorJson() != null) {
      return ExecutorFile.read(OptionCheck.path("executorJson", options.getExecutorJson()))
          .groups()
          .stream()
          .mapToInt(ExecutorGroup::memoryMb)
          .min()
          .orElse(ClusterOptions.DEFAULT_EXECUTOR_MEMORY_MB);
    }
    Integer said = options.getExecutorMemoryMb();
    return said == null ? ClusterOptions.DEFAULT_EXECUTOR_MEMORY_MB : said;
  }

  /** What is said, or half of the machine's memory without the heap. */
  public static ColumnarMemory of(ColumnarOptions options) {
    if (options.getColumnarMemoryMb() > 0) {
      return new ColumnarMemory((long) options.getColumnarMemoryMb() << 20);
    }
    OperatingSystemMXBean machine =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long free = machine.getTotalMemorySize() - Runtime.getRuntime().maxMemory();
    return new ColumnarMemory(Math.max(LEAST_BYTES, free / 2));
  }
}
