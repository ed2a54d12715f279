// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp.sample;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Processor time of this thread, which says the same however much else the machine does. */
final class ThreadTime {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final double NANOS = 1e9;

  private ThreadTime() {}

  static long nanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /**
   * Seconds that this thread has worked.
   *
   * @param begin what {@link #nanos} said then
   */
  static double secondsSince(long begin) {
    return Math.max(0, nanos() - begin) / NANOS;
  }
}
