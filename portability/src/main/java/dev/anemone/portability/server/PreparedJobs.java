// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.beam.model.pipeline.v1.RunnerApi.Pipeline;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Struct;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jobs that programs have prepared and not run, until they expire. Thread-safe. */
final class PreparedJobs implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PreparedJobs.class);

  /**
   * A job that may be run.
   *
   * @param id by which it is run
   * @param pipeline as the program has made it
   * @param options of the pipeline
   */
  record Prepared(String id, Pipeline pipeline, Struct options) {}

  private record Waiting(Prepared job, ScheduledFuture<?> expiry) {}

  private final Map<String, Waiting> jobs = new HashMap<>();
  private final ScheduledThreadPoolExecutor clock;
  private final Duration lifetime;
  private final Consumer<String> whenExpired;

  /**
   * None yet.
   *
   * @param lifetime from its preparation until a job expires
   * @param whenExpired gets the id of a job that has expired, on a thread of this
   */
  PreparedJobs(Duration lifetime, Consumer<String> whenExpired) {
    this.lifetime = lifetime;
    this.whenExpired = whenExpired;
    this.clock =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "anemone-prepared-jobs");
              thread.setDaemon(true);
              return thread;
            });
    clock.setRemoveOnCancelPolicy(true);
  }

  /** Adds a job. */
  synchronized void add(Prepared job) {
    ScheduledFuture<?> expiry =
        clock.schedule(() -> expire(job.id()), lifetime.toMillis(), TimeUnit.MILLISECONDS);
    jobs.put(job.id(), new Waiting(job, expiry));
  }

  private void expire(String id) {
    if (take(id).isPresent()) {
      LOG.info("The job {} was prepared and not run within {} s.", id, lifetime.toSeconds());
      whenExpired.accept(id);
    }
  }

  /** Takes a job out, which does not expire then. */
  synchronized Optional<Prepared> take(String id) {
    Optional<Waiting> taken = Optional.ofNullable(jobs.remove(id));
    taken.ifPresent(waiting -> waiting.expiry().cancel(false));
    return taken.map(Waiting::job);
  }

  /** How many there are. */
  synchronized int size() {
    return jobs.size();
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
