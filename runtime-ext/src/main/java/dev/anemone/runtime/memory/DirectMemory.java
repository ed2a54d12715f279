// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** The direct memory that this JVM may have. */
public final class DirectMemory {

  private DirectMemory() {}

  /**
   * Bytes of direct buffers that the JVM allows: {@code -XX:MaxDirectMemorySize}, else the heap's.
   */
  public static long limitBytes() {
    HotSpotDiagnosticMXBean diagnostics =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long configured = Long.parseLong(diagnostics.getVMOption("MaxDirectMemorySize").getValue());
    return configured > 0 ? configured : Runtime.getRuntime().maxMemory();
  }

  /**
   * Checks that direct buffers of this many bytes can be had.
   *
   * @throws IllegalArgumentException when the JVM does not allow them
   */
  public static void requireAllowed(long bytes) {
    long limit = limitBytes();
    if (bytes > limit) {
      throw new IllegalArgumentException(
          "the job is to use "
              + bytes
              + " bytes of off-heap memory, but this JVM allows only "
              + limit
              + " bytes; start it with -XX:MaxDirectMemorySize="
              + ((bytes >> 20) + 1)
              + "m, or give the job less by --offHeapMemoryMb");
    }
  }
}
