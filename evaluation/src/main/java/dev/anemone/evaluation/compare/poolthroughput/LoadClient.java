// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import java.io.IOException;

/** One connection to the memory of a target. Used by one thread. */
interface LoadClient extends AutoCloseable {

  /**
   * Reads or writes again and again, with several operations under way at a time, and waits until
   * all have ended and what was written can be seen at the target.
   *
   * @param bytes of an operation
   * @param nanos how long operations are begun
   * @return how many there were
   * @throws IOException when one failed
   */
  long operate(Direction direction, int bytes, long nanos) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
