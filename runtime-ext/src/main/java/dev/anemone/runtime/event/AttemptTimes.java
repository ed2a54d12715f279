// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * Where the time of a task attempt went, in milliseconds. The parts exclude each other, but for the
 * last one, which is in all of them. What cannot be told apart is in {@code compute}.
 *
 * @param input reading sources, and what was fetched from other tasks: decompressing, merging
 * @param fetchWait waiting for what others have written or still write
 * @param compute code of the user, and the operators around it
 * @param sort sorting what is written
 * @param spill writing what does not fit into memory, and merging that
 * @param push sending to aggregation tasks, and waiting for their answers
 * @param write combining, compressing and writing what other tasks read
 * @param commit waiting for leave to commit, committing, and what is done after it
 * @param gc collecting garbage, while the attempt ran, of its whole JVM
 */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record AttemptTimes(
    long input,
    long fetchWait,
    long compute,
    long sort,
    long spill,
    long push,
    long write,
    long commit,
    long gc) {

  /** Nothing known. */
  public static final AttemptTimes NONE = new AttemptTimes(0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** The sum of the parts that exclude each other, in milliseconds. */
  public long total() {
    return input + fetchWait + compute + sort + spill + push + write + commit;
  }
}
