// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import java.util.List;

/** Memory of a job's JVM. */
record Memory(int heapMegabytes, int directMegabytes) {
  /** One in so many MB of direct memory is left to Java's own reads and writes. */
  private static final int PART_FOR_OTHERS = 8;

  private static final int PART_FOR_COPIES = 4;

  int megabytes() {
    return heapMegabytes + directMegabytes;
  }

  List<String> jvmOptions() {
    return List.of(
        "-Xmx" + heapMegabytes + "m", "-XX:MaxDirectMemorySize=" + directMegabytes + "m");
  }

  /** Options of the runner: copies of pages have a part of what data between stages has else. */
  List<String> runnerOptions(boolean cached) {
    int pages = directMegabytes - directMegabytes / PART_FOR_OTHERS;
    int copies = cached ? directMegabytes / PART_FOR_COPIES : 0;
    return List.of("--offHeapMemoryMb=" + (pages - copies), "--memoryPoolCacheMb=" + copies);
  }
}
