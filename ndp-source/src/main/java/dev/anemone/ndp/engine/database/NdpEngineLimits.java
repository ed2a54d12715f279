// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.database;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What one plan may use.
 *
 * @param threads threads that work on it
 * @param memoryBytes memory of the engine off the heap; what does not fit goes to disk
 * @param diskBytes disk for that, in the work directory; and as much again for a copy of what lies
 *     elsewhere
 * @param deadline how long it may take until its last batch is read
 * @param workDirectory an existing directory for files of running plans, on a local disk
 * @param memoryOption the name of the option by which users give more memory, if there is one
 */
public record NdpEngineLimits(
    int threads,
    long memoryBytes,
    long diskBytes,
    Duration deadline,
    Path workDirectory,
    Optional<String> memoryOption) {

  private static final long LEAST_MEMORY = 64L << 20;

  public NdpEngineLimits {
    Objects.requireNonNull(workDirectory, "workDirectory");
    Objects.requireNonNull(memoryOption, "memoryOption");
    if (threads < 1 || memoryBytes < LEAST_MEMORY || diskBytes < 0) {
      throw new IllegalArgumentException(
          "a plan needs a thread and "
              + LEAST_MEMORY
              + " bytes of memory at least, was given "
              + threads
              + " threads, "
              + memoryBytes
              + " bytes of memory and "
              + diskBytes
              + " of disk");
    }
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("the deadline must be positive, was " + deadline);
    }
  }

  /** Limits of which users set none. */
  public NdpEngineLimits(
      int threads, long memoryBytes, long diskBytes, Duration deadline, Path workDirectory) {
    this(threads, memoryBytes, diskBytes, deadline, workDirectory, Optional.empty());
  }

  /** The same with other memory, in bytes. */
  public NdpEngineLimits withMemory(long bytes) {
    return new NdpEngineLimits(threads, bytes, diskBytes, deadline, workDirectory, memoryOption);
  }

  /** The same where an option gives more memory. */
  public NdpEngineLimits withMemoryOption(String option) {
    return new NdpEngineLimits(
        threads, memoryBytes, diskBytes, deadline, workDirectory, Optional.of(option));
  }
}
