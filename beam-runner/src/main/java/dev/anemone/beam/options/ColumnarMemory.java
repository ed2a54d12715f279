// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The memory of the engine that runs whole queries.
 *
 * @param bytes that its tables and tuples may take; beyond that they go to disk
 */
public record ColumnarMemory(long bytes) {

  private static final long LEAST_BYTES = 256L << 20;

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
