// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import java.nio.file.Path;
import java.util.List;

/**
 * What is done to which jobs.
 *
 * @param results directory for the figures; made if missing
 * @param jobs how many
 * @param nodes of the cluster
 * @param policies of which each job gets one
 * @param faults of which each job gets one
 * @param seed of the random choices
 * @param jobSeconds what a job without a fault may take
 * @param nemoOptions further options of the runner
 */
record SoakPlan(
    Path results,
    int jobs,
    int nodes,
    List<String> policies,
    List<SoakFault> faults,
    long seed,
    int jobSeconds,
    List<String> nemoOptions) {

  /** A job is taken to hang when it runs so long after it should have recovered, in seconds. */
  static final int HANG_SECONDS = 60;

  /** After how many seconds a job with this fault is taken to hang. */
  int limitSeconds(SoakFault fault) {
    return jobSeconds + fault.recoverySeconds() + HANG_SECONDS;
  }
}
