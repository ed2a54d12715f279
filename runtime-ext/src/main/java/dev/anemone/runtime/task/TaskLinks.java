// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.record.RecordReader;
import dev.anemone.runtime.record.RecordWriter;
import dev.anemone.runtime.spi.RecordCombiner;
import java.io.IOException;
import java.util.Map;

/**
 * What an engine gives a task to reach other stages. Used by the task's thread, but for {@link
 * #progress}.
 */
public interface TaskLinks {

  /**
   * The reader of an input link that is not grouped; waits until its data is there. Can be asked
   * for again, to read the link again from its start; the reader that was given before must not be
   * used any more.
   */
  RecordReader reader(String peer) throws IOException, InterruptedException;

  /**
   * The reader of a grouped input link; waits until its data is there.
   *
   * @param combiners by tag, for the channels whose records can be combined
   */
  GroupReader groupReader(String peer, Map<Integer, RecordCombiner> combiners)
      throws IOException, InterruptedException;

  /**
   * How far an input link is, from 0 to 1: half of the way is behind it when all of what it has is
   * here, where it is grouped. Any thread may ask, at any time.
   */
  double progress(String peer);

  /** What divides the task's time. */
  TaskClock clock();

  /**
   * The writer of an output link.
   *
   * @param combiners by tag, for the channels whose records can be combined
   */
  RecordWriter writer(String peer, Map<Integer, RecordCombiner> combiners)
      throws IOException, InterruptedException;
}
