// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.backend;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.engine.Job;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.tez.job.JobFiles;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;

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

  /** Takes note of the jobs that end with this process. */
  RunningJobs runningJobs();

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

    /** Closes what the job's tasks shared in this JVM. */
    @Override
    void close() throws Exception;

    /** Deletes all that the job has left, its directory included. */
    void delete() throws IOException;
  }
}
