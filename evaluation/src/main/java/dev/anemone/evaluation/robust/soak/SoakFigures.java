// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import dev.anemone.evaluation.lab.report.Machine;
import java.util.List;

/**
 * The raw figures of the experiment, as they are written to a file.
 *
 * @param started when, in ISO 8601
 * @param machine that it ran on
 * @param nodes of the cluster
 * @param seed of the random choices
 * @param jobs in the order in which they ran
 */
record SoakFigures(String started, Machine machine, int nodes, long seed, List<Job> jobs) {

  /** What has come of a job. */
  enum Outcome {
    /** It has ended with the right answer. */
    RIGHT,
    /** It has ended as if all were well, with another answer. */
    WRONG,
    /** It has ended with an error, although it should have recovered. */
    FAILED,
    /** It has not ended in time. */
    HUNG
  }

  /**
   * A job.
   *
   * @param number from 1
   * @param policy that it ran with
   * @param fault what was to happen
   * @param happened whether it has happened before the job had ended
   * @param outcome what has come of it
   * @param seconds from its start to its end, or until it was given up
   * @param problem what was wrong; empty when nothing was
   */
  record Job(
      int number,
      String policy,
      SoakFault fault,
      boolean happened,
      Outcome outcome,
      double seconds,
      String problem) {}

  /** How many jobs have come to this. */
  long count(Outcome outcome) {
    return jobs.stream().filter(job -> job.outcome() == outcome).count();
  }
}
