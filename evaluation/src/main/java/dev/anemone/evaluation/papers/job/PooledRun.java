// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.job;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.pool.PoolServerProcess;
import dev.anemone.evaluation.lab.pool.PoolServerProcess.Traffic;
import dev.anemone.evaluation.lab.pool.TrafficRecorder;
import dev.anemone.evaluation.lab.pool.TrafficRecorder.Sample;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.rdma.pool.TierOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A run of a job that keeps what lies between its stages in a pool: of one server over loopback
 * TCP, made for this run, so that none finds what another has left.
 *
 * @param cost empty when the job did not end well
 * @param samples of what the server has received and sent, from before the job's process to its end
 */
public record PooledRun(Optional<JobCost> cost, List<Sample> samples) {
  private static final String TRANSPORT = "tcp";
  private static final Duration INTERVAL = Duration.ofMillis(250);

  /** Of the pool, for each byte of input: it is shuffled, and may be spilled twice. */
  private static final int POOL_BYTES_PER_BYTE = 4;

  private static final long LEAST_POOL_BYTES = 512L << 20;

  /** How large a pool is large enough for a job, in bytes. */
  public static long poolBytes(Workload workload) {
    return LEAST_POOL_BYTES + POOL_BYTES_PER_BYTE * workload.inputBytes();
  }

  /**
   * Runs a job, and checks what it has found if it ended well.
   *
   * @param tier what the pool is of
   * @param side on which the job runs
   * @param options of the runner, beside those that name the pool
   * @throws ExperimentFailure when the job has stored more than the pool was sent
   */
  public static PooledRun of(
      JobRuns lab,
      Workload workload,
      TierOptions tier,
      String side,
      List<String> jvmOptions,
      List<String> options)
      throws IOException, InterruptedException {
    try (PoolServerProcess server =
            PoolServerProcess.start(
                TRANSPORT,
                tier,
                PoolServerProcess.SMALL_CHUNK_BYTES,
                lab.figures().evaluation().ownClassPath(),
                lab.log("server"));
        TrafficRecorder recorder = TrafficRecorder.start(server, INTERVAL)) {
      Optional<JobCost> cost =
          lab.run(side, workload, jvmOptions, Arguments.of(server.runnerOptions(), options));
      PooledRun run = new PooledRun(cost, recorder.stop());
      if (cost.isPresent() && run.traffic().received() < cost.get().storedBytes()) {
        throw new ExperimentFailure(
            "The job with %s stored %d bytes, and the pool received %d, so that its figures mean"
                + " nothing.",
            side, cost.get().storedBytes(), run.traffic().received());
      }
      return run;
    }
  }

  /** All that the server has received and sent. */
  public Traffic traffic() {
    return samples.get(samples.size() - 1).traffic();
  }
}
