// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

/** Where an attempt of a task is in its life. */
public enum TaskPhase {

  /** It has begun, and has read nothing. */
  BEGUN,

  /** All that its operators gave it to write is written, if it has operators. */
  WRITTEN,

  /** All that it pushes to aggregation tasks has been acknowledged; only where it pushes. */
  PUSHED,

  /** It has gathered what all producers pushed and wrote; only in an aggregation task. */
  GATHERED,

  /** It is about to commit: nothing that it did counts yet, all of it does afterwards. */
  COMMITTING
}
