// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.jobs;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A job that runs, as its process has entered it.
 *
 * @param id the job's id
 * @param name what a person calls it
 * @param policy that optimized it, or the passes that were asked for
 * @param startedAt when it was submitted, in milliseconds since 1970
 * @param pid of the process that runs it, or waits for it
 * @param processStartedAt when that process began, likewise; another one may get its number
 * @param application the id that a cluster gave to it; empty for a job in that process
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record JobEntry(
    String id,
    String name,
    String policy,
    long startedAt,
    long pid,
    long processStartedAt,
    String application) {

  /** The clock of a machine may be set while a process runs. */
  private static final Duration CLOCK_SHIFT = Duration.ofSeconds(2);

  public JobEntry {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(application, "application");
  }

  /** An entry of this process. */
  static JobEntry ofThisProcess(
      String id, String name, String policy, long startedAt, Optional<String> application) {
    ProcessHandle self = ProcessHandle.current();
    return new JobEntry(
        id, name, policy, startedAt, self.pid(), start(self), application.orElse(""));
  }

  private static long start(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  /** Whether the process that has made it still runs. */
  @JsonIgnore
  public boolean isAlive() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(process -> Math.abs(start(process) - processStartedAt) <= CLOCK_SHIFT.toMillis())
        .isPresent();
  }
}
