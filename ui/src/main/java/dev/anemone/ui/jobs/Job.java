// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.jobs;

import dev.anemone.beam.jobs.JobEntry;
import dev.anemone.runtime.engine.ClusterApplication;
import dev.anemone.ui.model.JobSummary;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job in the list.
 *
 * @param id by which it is found
 * @param name what a person calls it
 * @param state how it stands, in one word
 * @param startedAt in milliseconds since 1970
 * @param endedAt likewise; empty while it runs
 * @param where it runs, or is known from
 * @param entry what its process says of it; empty when it does not run on this machine
 * @param application what a cluster says of it; empty when none does
 * @param logId by which its event log is found
 */
record Job(
    String id,
    String name,
    String state,
    long startedAt,
    Optional<Long> endedAt,
    String where,
    Optional<JobEntry> entry,
    Optional<ClusterApplication> application,
    String logId) {

  /** The application of a detached job is called after the job's name and id. */
  private static final Pattern DETACHED =
      Pattern.compile("(.*) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

  static Job of(JobEntry entry) {
    String process = "process " + entry.pid();
    return new Job(
        entry.id(),
        entry.name(),
        "running",
        entry.startedAt(),
        Optional.empty(),
        entry.application().isEmpty() ? process : process + ", " + entry.application(),
        Optional.of(entry),
        Optional.empty(),
        entry.id());
  }

  static Job of(ClusterApplication application) {
    Matcher detached = DETACHED.matcher(application.name());
    boolean isDetached = detached.matches();
    return new Job(
        application.id(),
        isDetached ? detached.group(1) : application.name(),
        application.state().toLowerCase(Locale.ROOT),
        application.startedAt(),
        application.running() ? Optional.empty() : Optional.of(application.finishedAt()),
        "YARN",
        Optional.empty(),
        Optional.of(application),
        isDetached ? detached.group(2) : application.id());
  }

  static Job of(JobSummary logged) {
    return new Job(
        logged.id(),
        logged.name(),
        logged.state().name().toLowerCase(Locale.ROOT),
        logged.startedAt(),
        Optional.of(logged.lastAt()),
        "event log",
        Optional.empty(),
        Optional.empty(),
        logged.id());
  }
}
