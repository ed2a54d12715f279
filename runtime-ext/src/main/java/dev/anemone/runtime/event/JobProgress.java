// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/**
 * How far a job is.
 *
 * @param stages by id
 * @param memory what executors have in use, by id
 */
public record JobProgress(
    long time, Map<String, StageProgress> stages, Map<String, MemoryUse> memory)
    implements JobEvent {

  public JobProgress {
    stages = Absent.map(stages);
    memory = Absent.map(memory);
  }

  /**
   * How far a stage is.
   *
   * @param running tasks that run
   * @param succeeded tasks that have succeeded
   * @param failed attempts that have failed
   * @param total tasks in all
   */
  public record StageProgress(int running, int succeeded, int failed, int total) {}

  /**
   * Memory that an executor has in use.
   *
   * @param heapUsed bytes of the heap
   * @param offHeapUsed bytes of the pages for the data between stages
   * @param nativeUsed bytes besides, as far as known
   */
  @JsonInclude(JsonInclude.Include.NON_DEFAULT)
  public record MemoryUse(long heapUsed, long offHeapUsed, long nativeUsed) {}
}
