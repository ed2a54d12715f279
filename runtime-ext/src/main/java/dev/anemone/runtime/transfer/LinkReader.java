// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.transfer.lineage.LinkLineage;
import java.io.Closeable;

/** The reader of one input link of a task. Used by the task's thread. */
interface LinkReader extends Closeable {

  /** What was read. */
  EdgeCounters counters();

  /**
   * Bytes of the records that were read, before compression, as {@link LinkWriter#partitionBytes}
   * counts them; without those that are another task's, or count for nothing. Complete when the
   * link has been read to its end.
   */
  long readBytes();

  /** How many records were read until now. */
  long readRecords();

  /** See {@link dev.anemone.runtime.task.TaskLinks#progress}. */
  double progress();

  /** What was read of which producer. */
  LinkLineage lineage();

  /** Whether a producer has announced something else since it was read, and been heard. */
  boolean isOutdated();
}
