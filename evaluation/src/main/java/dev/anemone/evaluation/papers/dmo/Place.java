// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

/** Where jobs keep what they shuffle and spill. */
enum Place {
  /** As Spark does. */
  FILES("files", false, false),
  /** A pool in DRAM, read anew each time: the paper's DMO Local. */
  POOL("pool", true, false),
  /** The same, with copies of pages that were read. */
  CACHED("pool, cached", true, true),
  /** A pool in persistent memory: the paper's DMO Remote. */
  PMEM("pool on PMEM", true, false);

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

  boolean isPooled() {
    return pooled;
  }

  boolean isCached() {
    return cached;
  }
}
