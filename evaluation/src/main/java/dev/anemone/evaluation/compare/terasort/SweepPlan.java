// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What is sorted again and again, with less and less memory.
 *
 * @param directory for the records, the logs and the figures; made if missing
 * @param classPath with the command line of the examples
 * @param records of 100 bytes
 * @param points the memory of the sorting JVM
 * @param transport to the pool
 * @param poolMegabytes DRAM that the pool lends
 * @param jvmOptions that NemoRunner cannot do without
 * @param runnerOptions further options of the runner
 * @param runs sorts of each side at each point
 * @param deadline after which a program is killed
 */
record SweepPlan(
    Path directory,
    String classPath,
    long records,
    List<MemoryPoint> points,
    String transport,
    int poolMegabytes,
    List<String> jvmOptions,
    List<String> runnerOptions,
    int runs,
    Duration deadline) {

  /**
   * Memory of an executor.
   *
   * @param heapMegabytes its -Xmx
   * @param offHeapMegabytes its direct memory
   */
  record MemoryPoint(int heapMegabytes, int offHeapMegabytes) {

    int megabytes() {
      return heapMegabytes + offHeapMegabytes;
    }

    /** Both, as they are given. */
    String text() {
      return heapMegabytes + ":" + offHeapMegabytes;
    }
  }
}
