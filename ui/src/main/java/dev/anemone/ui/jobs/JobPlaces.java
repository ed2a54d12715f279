// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.jobs;

import dev.anemone.beam.ClusterJobs;
import dev.anemone.beam.jobs.JobEntry;
import dev.anemone.beam.jobs.JobRegistry;
import dev.anemone.beam.options.ClusterOptions;
import dev.anemone.runtime.engine.ClusterApplication;
import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.model.JobSummary;
import dev.anemone.ui.server.LogDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import picocli.CommandLine.Option;

/** Where jobs are looked for, as options of a command. */
final class JobPlaces {

  @Option(
      names = "--logs",
      paramLabel = "DIRECTORY",
      description = "Also the jobs with an event log in it, on this machine or hdfs://.")
  private String logs;

  @Option(
      names = "--yarn",
      description = "Also this user's jobs on the cluster, as far as it still knows them.")
  private boolean yarn;

  @Option(
      names = "--hadoopConfDir",
      paramLabel = "DIRECTORY",
      description = "Configuration of the cluster (default: HADOOP_CONF_DIR).")
  private String hadoopConfDir;

  private List<String> remarks = List.of();

  /**
   * All jobs, those that run on this machine first.
   *
   * @throws IOException when a place gives no answer
   */
  List<Job> jobs() throws IOException {
    List<Job> jobs = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (JobEntry entry : JobRegistry.ofThisUser().list()) {
      jobs.add(Job.of(entry));
      known.add(entry.id());
      known.add(entry.application());
    }
    if (yarn) {
      for (ClusterApplication application : ClusterJobs.list(options())) {
        if (known.add(application.id())) {
          Job job = Job.of(application);
          jobs.add(job);
          known.add(job.logId());
        }
      }
    }
    if (logs != null) {
      LogDirectory directory = directory();
      for (JobSummary logged : directory.list()) {
        if (known.add(logged.id())) {
          jobs.add(Job.of(logged));
        }
      }
      remarks = directory.remarks();
    }
    return jobs;
  }

  /**
   * The job of that id, or of the only one that begins so.
   *
   * @throws IllegalArgumentException when there is none, or several
   * @throws IOException when a place gives no answer
   */
  Job job(String id) throws IOException {
    List<Job> found = jobs().stream().filter(job -> job.id().startsWith(id)).toList();
    Optional<Job> exact = found.stream().filter(job -> job.id().equals(id)).findFirst();
    if (exact.isPresent()) {
      return exact.get();
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "There is no job "
              + id
              + " "
              + describe()
              + ". 'anemone jobs' lists those that there are, with --yarn and --logs=DIRECTORY also"
              + " those of a cluster and of event logs.");
    }
    if (found.size() > 1) {
      throw new IllegalArgumentException(
          found.size()
              + " jobs have an id that begins with "
              + id
              + ". Give more of it: "
              + found.stream().map(Job::id).sorted().toList());
    }
    return found.get(0);
  }

  /** What the event log says of a job; empty when it has none in the directory. */
  Optional<JobModel> logged(String id) throws IOException {
    return logs == null ? Optional.empty() : directory().job(id);
  }

  /** The cluster of these options. */
  PipelineOptions options() {
    ClusterOptions options = PipelineOptionsFactory.create().as(ClusterOptions.class);
    if (hadoopConfDir != null) {
      options.setHadoopConfDir(hadoopConfDir);
    }
    return options;
  }

  private LogDirectory directory() {
    FileSystems.setDefaultPipelineOptions(options());
    return new LogDirectory(logs);
  }

  /** What is to be known of what was found. */
  List<String> remarks() {
    return remarks;
  }

  String describe() {
    return "of this user on this machine"
        + (yarn ? ", on the cluster" : "")
        + (logs == null ? "" : ", in " + logs);
  }
}
