// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

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
   * @param counted what attempts that run have done until now; empty where that is not known
   */
  public record StageProgress(
      int running, int succeeded, int failed, int total, Optional<Counted> counted) {

    public StageProgress {
      Objects.requireNonNull(counted, "counted");
    }

    /** Of attempts that run nothing is known. */
    public StageProgress(int running, int succeeded, int failed, int total) {
      this(running, succeeded, failed, total, Optional.empty());
    }
  }

  /**
   * What attempts that run have done.
   *
   * @param read what they read from other stages
   * @param written what they wrote for other stages
   * @param spilledBytes bytes that they wrote because memory was full
   */
  public record Counted(TaskFinished.Amount read, TaskFinished.Amount written, long spilledBytes) {

    public Counted {
      Objects.requireNonNull(read, "read");
      Objects.requireNonNull(written, "written");
    }

    /** What both have done. */
    public Counted plus(Counted other) {
      return new Counted(
          read.plus(other.read), written.plus(other.written), spilledBytes + other.spilledBytes);
    }
  }

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
