// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * What a job server keeps of jobs that do not run.
 *
 * @param preparedLifetime from its preparation until a job that is not run is forgotten, with the
 *     files that were staged for it
 * @param endedJobs how many jobs that have ended can still be asked for
 */
public record JobLimits(Duration preparedLifetime, int endedJobs) {

  /** One hour, and a hundred jobs. */
  public static final JobLimits DEFAULT = new JobLimits(Duration.ofHours(1), 100);

  public JobLimits {
    requireNonNull(preparedLifetime, "preparedLifetime");
    if (preparedLifetime.isNegative() || preparedLifetime.isZero()) {
      throw new IllegalArgumentException(
          "--preparedJobSeconds="
              + preparedLifetime.toSeconds()
              + ": a job needs time between its preparation and its run. Give 1 or more.");
    }
    if (endedJobs < 1) {
      throw new IllegalArgumentException(
          "--endedJobs="
              + endedJobs
              + ": programs ask for their jobs when these have ended. Give 1 or more.");
    }
  }
}
