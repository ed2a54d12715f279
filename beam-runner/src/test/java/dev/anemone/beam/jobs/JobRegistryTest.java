// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.RunningJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JobRegistryTest {

  @TempDir Path temp;

  private Path directory;
  private JobRegistry registry;

  @BeforeEach
  void prepare() {
    directory = temp.resolve("jobs");
    registry = new JobRegistry(directory);
  }

  /** A job that runs until it is cancelled. */
  private static final class EndlessJob implements RunningJob {
    private final CountDownLatch end = new CountDownLatch(1);

    @Override
    public String id() {
      return "id-of-the-job";
    }

    @Override
    public Optional<String> applicationId() {
      return Optional.empty();
    }

    @Override
    public JobState state() {
      return end.getCount() == 0 ? JobState.CANCELLED : JobState.RUNNING;
    }

    @Override
    public Optional<JobResult> await(Optional<Duration> timeout) throws InterruptedException {
      assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
      return Optional.empty();
    }

    @Override
    public void cancel() {
      end.countDown();
    }
  }

  private List<JobEntry> awaitEntries() throws Exception {
    List<JobEntry> entries = registry.list();
    while (entries.isEmpty()) {
      Thread.onSpinWait();
      entries = registry.list();
    }
    return entries;
  }

  @Test
  void aJobOfAnotherProcessIsSeenAndCancelled() throws Exception {
    EndlessJob job = new EndlessJob();
    OwnJobs own = new OwnJobs(registry);
    own.add(job, "endless", "Default");

    JobEntry entry = awaitEntries().get(0);
    assertThat(entry.name()).isEqualTo("endless");
    assertThat(entry.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(Files.getPosixFilePermissions(directory))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));

    assertThat(registry.cancel(entry, Duration.ofSeconds(30))).isTrue();
    assertThat(job.state()).isEqualTo(JobState.CANCELLED);
    assertNothingIsLeft();
  }

  @Test
  void whatHasEndedIsNotSeenAnyMore() throws Exception {
    EndlessJob job = new EndlessJob();
    OwnJobs own = new OwnJobs(registry);
    own.add(job, "endless", "Default");
    awaitEntries();

    own.ended(job);

    assertNothingIsLeft();
  }

  @Test
  void entriesOfProcessesThatHaveEndedAreSwept() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    registry.enter(new JobEntry("dead", "dead", "Default", 1, process.pid(), 1, ""));
    // The number of a process that has ended was given to this one.
    registry.enter(
        new JobEntry("older", "older", "Default", 1, ProcessHandle.current().pid(), 1, ""));

    assertThat(registry.list()).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  void aJobThatDoesNotEndIsNotSaidToHaveEnded() throws Exception {
    JobEntry deaf = JobEntry.ofThisProcess("deaf", "deaf", "Default", 1, Optional.empty());
    registry.enter(deaf);

    assertThat(registry.cancel(deaf, Duration.ofMillis(1))).isFalse();
    assertThat(registry.list()).containsExactly(deaf);
  }

  @Test
  void whereNoJobHasRunThereAreNone() throws Exception {
    assertThat(registry.list()).isEmpty();
  }

  private void assertNothingIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }
}
