// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.model.JobSummary;
import dev.anemone.ui.server.Jobs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Jobs that a test adds one by one. */
final class SampleJobs implements Jobs {

  private final Map<String, JobModel> jobs = new ConcurrentHashMap<>();

  JobModel add(JobModel job) {
    jobs.put(job.id(), job);
    return job;
  }

  @Override
  public List<JobSummary> list() {
    return jobs.values().stream().map(JobModel::summary).toList();
  }

  @Override
  public Optional<JobModel> job(String id) {
    return Optional.ofNullable(jobs.get(id));
  }

  @Override
  public List<String> remarks() {
    return List.of();
  }
}
