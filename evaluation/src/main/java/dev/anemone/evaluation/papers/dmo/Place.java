// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.store.ChargesAsAsked;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Where jobs keep what they shuffle and spill. */
enum Place {
  /** On a disk, as Spark's. */
  FILES("files", false, false),
  /** The same without a disk: the kernel has all files in memory. */
  CACHED_FILES("files in memory", false, false),
  /** A pool in DRAM, read anew each time: the paper's DMO Local. */
  POOL("pool", true, false),
  /** The same, with copies of pages that were read. */
  CACHED("pool, cached", true, true),
  /** A pool in persistent memory: the paper's DMO Remote. */
  PMEM("pool on PMEM", true, false);

  private static final Duration SEEK = Duration.ofMillis(8);
  private static final long DISK_BYTES_PER_SECOND = 150_000_000;

  private final String title;
  private final boolean pooled;
  private final boolean cached;

  Place(String title, boolean pooled, boolean cached) {
    this.title = title;
    this.pooled = pooled;
    this.cached = cached;
  }

  /** As tables have it. */
  String title() {
    return title;
  }

  /** Of the JVM of a job here, whose local files are on a disk. */
  List<String> jvmOptions(Memory memory) {
    return this == CACHED_FILES
        ? memory.jvmOptions()
        : Arguments.of(memory.jvmOptions(), ChargesAsAsked.disk(SEEK, DISK_BYTES_PER_SECOND));
  }

  /** The disk, in words. */
  static String disk() {
    return String.format(
        Locale.ROOT,
        "a disk (%d ms for each seek, %d MB/s, of all tasks together; what is written waits for"
            + " nothing)",
        SEEK.toMillis(),
        DISK_BYTES_PER_SECOND / 1_000_000);
  }

  boolean isPooled() {
    return pooled;
  }

  boolean isCached() {
    return cached;
  }
}
