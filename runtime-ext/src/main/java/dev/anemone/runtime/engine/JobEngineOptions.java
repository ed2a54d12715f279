// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import dev.anemone.runtime.stage.TaskWaits;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * How the engine runs jobs.
 *
 * @param slots tasks that run at once, at least 1
 * @param maxTaskAttempts how often a task is tried before its job fails, at least 1
 * @param offHeapBytes direct memory that jobs may use for the data between their stages; the JVM
 *     must be allowed to have it
 * @param nativeBytes what an executor of a cluster has for what tasks take outside of heap and data
 *     plane; it has more where the tasks of a job take more
 * @param tempDirectory local directory for blocks and spills; what a job puts there goes when it
 *     ends
 * @param deployment where jobs run; on a cluster, {@code slots} are executors, {@code offHeapBytes}
 *     are those of each, and the temporary directory is the client's
 * @param stores where the data between stages can go beside local files and memory
 * @param transport how data gets from executor to executor
 * @param jobAttempts how often a job is run that cannot be mended by running tasks again, at least
 *     1
 * @param waits how long attempts wait for something
 * @param eventLog directory to which the events of each job are written, on a file system that
 *     Hadoop knows; empty for none
 */
public record JobEngineOptions(
    int slots,
    int maxTaskAttempts,
    long offHeapBytes,
    long nativeBytes,
    Path tempDirectory,
    Deployment deployment,
    StoreOptions stores,
    TransportOptions transport,
    int jobAttempts,
    TaskWaits waits,
    Optional<URI> eventLog) {

  /** How often a job is run, unless somebody says otherwise. */
  public static final int JOB_ATTEMPTS = 3;

  /** With less, no job could move anything between its stages. */
  public static final long MIN_OFF_HEAP_BYTES = 16L << 20;

  public JobEngineOptions {
    if (slots < 1) {
      throw new IllegalArgumentException("slots must be at least 1, was " + slots);
    }
    if (maxTaskAttempts < 1) {
      throw new IllegalArgumentException(
          "maxTaskAttempts must be at least 1, was " + maxTaskAttempts);
    }
    if (offHeapBytes < MIN_OFF_HEAP_BYTES) {
      throw new IllegalArgumentException(
          "offHeapBytes must be at least " + MIN_OFF_HEAP_BYTES + ", was " + offHeapBytes);
    }
    if (jobAttempts < 1) {
      throw new IllegalArgumentException("jobAttempts must be at least 1, was " + jobAttempts);
    }
    Objects.requireNonNull(tempDirectory, "tempDirectory");
    Objects.requireNonNull(deployment, "deployment");
    Objects.requireNonNull(stores, "stores");
    Objects.requireNonNull(transport, "transport");
    Objects.requireNonNull(waits, "waits");
    Objects.requireNonNull(eventLog, "eventLog");
  }

  /** Options with local files and memory only. */
  public JobEngineOptions(
      int slots,
      int maxTaskAttempts,
      long offHeapBytes,
      Path tempDirectory,
      Deployment deployment) {
    this(slots, maxTaskAttempts, offHeapBytes, tempDirectory, deployment, StoreOptions.NONE);
  }

  /** Options with which what is pushed goes over TCP by Netty. */
  public JobEngineOptions(
      int slots,
      int maxTaskAttempts,
      long offHeapBytes,
      Path tempDirectory,
      Deployment deployment,
      StoreOptions stores) {
    this(
        slots,
        maxTaskAttempts,
        offHeapBytes,
        0,
        tempDirectory,
        deployment,
        stores,
        TransportOptions.DEFAULT,
        JOB_ATTEMPTS,
        TaskWaits.DEFAULT,
        Optional.empty());
  }

  /** Whether jobs go on without their client. */
  public boolean isDetached() {
    return deployment instanceof Deployment.Yarn yarn
        && yarn.lifetime() instanceof Deployment.Lifetime.Detached;
  }

  /** The same options, with a log of events. */
  public JobEngineOptions withEventLog(URI directory) {
    return new JobEngineOptions(
        slots,
        maxTaskAttempts,
        offHeapBytes,
        nativeBytes,
        tempDirectory,
        deployment,
        stores,
        transport,
        jobAttempts,
        waits,
        Optional.of(directory));
  }
}
