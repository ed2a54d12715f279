// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.backend;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.engine.Job;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.tez.history.HistoryFeed;
import dev.anemone.runtime.tez.job.JobFiles;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.tez.dag.api.DAG;

/** Where jobs run, and what they need there. Thread-safe. */
public interface Backend {

  /** Where the data between stages can be kept. */
  Set<DataStore> stores();

  /**
   * Checks that a job can run.
   *
   * @throws IllegalArgumentException when it cannot; says why, and what would help
   */
  void check(List<StagePlan> plans);

  /** Configuration of the file systems that this place and its clients have in common. */
  Configuration fileSystems();

  /** Memory that executors have in use, by their ids, as far as it is known in this JVM. */
  Map<String, JobProgress.MemoryUse> memoryInUse();

  /** Takes note of the jobs that end with this process. */
  RunningJobs runningJobs();

  /** Begins to start a session for the next job, if that can be known; returns at once. */
  default void prepare() {}

  /** A session that has no job, which the caller gives back, or discards. */
  TezSession borrow(String jobId, Job job) throws IOException, InterruptedException;

  /** Takes a session back for other jobs. */
  void giveBack(TezSession session) throws IOException;

  /** Stops a session that may be broken. */
  void discard(TezSession session) throws IOException;

  /**
   * Prepares for a job. Waits while other jobs have what it cannot do without.
   *
   * @return what the job has of this backend, until it is closed
   */
  Place open(String jobId, Job job, List<StagePlan> plans, TezSession session)
      throws IOException, InterruptedException;

  /** What one job has of a backend. */
  interface Place extends AutoCloseable {

    /** URI of the job's directory, as its tasks reach it. */
    URI directory();

    /** The same directory, as the client reaches it. */
    JobFiles files();

    /**
     * Has the attempts of the job told.
     *
     * @param dag the job's, which has not been submitted
     * @param beginning the job's first events, for those who tell of it elsewhere than in this JVM;
     *     empty when nobody does
     * @param events takes what is told
     * @throws IOException when nobody else can be told
     */
    HistoryFeed history(DAG dag, List<JobEvent> beginning, Consumer<JobEvent> events)
        throws IOException;

    /** Closes what the job's tasks shared in this JVM. */
    @Override
    void close() throws Exception;

    /** Deletes all that the job has left, its directory included. */
    void delete() throws IOException;
  }
}
