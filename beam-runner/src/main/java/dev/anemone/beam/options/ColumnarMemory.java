// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * The memory of the engine that runs whole queries.
 *
 * @param bytes that its tables and tuples may take; beyond that they go to disk
 */
public record ColumnarMemory(long bytes) {

  private static final long LEAST_BYTES = 256L << 20;

  /** With less the engine cannot begin. */
  private static final long LEAST_IN_SLOT = 64L << 20;

  /**
   * Of a query in one slot beside others: what is said, divided among the slots of this machine; or
   * what a task has by default.
   */
  public static ColumnarMemory inSlot(PipelineOptions options) {
    int megabytes = options.as(ColumnarOptions.class).getColumnarMemoryMb();
    boolean local = DeployMode.of(options.as(ClusterOptions.class)) == DeployMode.LOCAL;
    int slots = local ? Math.max(1, options.as(NemoPipelineOptions.class).getSlots()) : 1;
    return new ColumnarMemory(
        megabytes > 0 ? Math.max(LEAST_IN_SLOT, ((long) megabytes << 20) / slots) : LEAST_BYTES);
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
