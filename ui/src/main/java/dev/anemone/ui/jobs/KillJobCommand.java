// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.jobs;

import dev.anemone.beam.ClusterJobs;
import dev.anemone.beam.jobs.JobEntry;
import dev.anemone.beam.jobs.JobRegistry;
import dev.anemone.beam.terminal.ShortNames;
import dev.anemone.cli.VersionText;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code anemone jobs kill}: ends a job as a cancel of its program does. */
@Command(
    name = "kill",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    description = {
      "Ends a job, and waits for that. What it has written stays only where it was whole before.",
      ""
    })
final class KillJobCommand implements Callable<Integer> {

  @Parameters(paramLabel = "ID", description = "The job's id, or how it begins.")
  private String id;

  @Option(
      names = "--waitSeconds",
      defaultValue = "30",
      paramLabel = "SECONDS",
      description = "How long to wait for its end (default: ${DEFAULT-VALUE}).")
  private int waitSeconds;

  @Mixin private JobPlaces places;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Job job = places.job(id);
    String name = "Job " + ShortNames.ofJob(job.name()) + " (" + job.id() + ")";
    if (job.entry().isPresent()) {
      return cancel(job.entry().get(), name);
    }
    if (job.application().isPresent() && ClusterJobs.kill(places.options(), job.id())) {
      System.out.println(name + " was killed.");
      return 0;
    }
    throw new IllegalArgumentException(
        name + " does not run: its state is " + job.state() + ". Only jobs that run can be ended.");
  }

  private int cancel(JobEntry entry, String name) throws IOException, InterruptedException {
    if (JobRegistry.ofThisUser().cancel(entry, Duration.ofSeconds(waitSeconds))) {
      System.out.println(name + " was cancelled.");
      return 0;
    }
    System.err.println(
        "anemone: "
            + name
            + " was asked to end, and has not within "
            + waitSeconds
            + " s. 'kill "
            + entry.pid()
            + "' ends its process.");
    return 1;
  }
}
