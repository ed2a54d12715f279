// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.live;

import dev.anemone.ui.metrics.PrometheusPage;
import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.model.JobSummary;
import dev.anemone.ui.server.Jobs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The jobs of a process, the last of them. Thread-safe. */
final class RunningJobs implements Jobs {

  /** A program that runs one job after the other has pages of the last of them. */
  private static final int KEPT = 32;

  private final Map<String, JobModel> jobs =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, JobModel> eldest) {
          return size() > KEPT;
        }
      };

  /** Made when it is first asked for, which is seldom. */
  private Optional<PrometheusPage> metrics = Optional.empty();

  synchronized void add(JobModel job) {
    jobs.put(job.id(), job);
  }

  @Override
  public synchronized List<JobSummary> list() {
    List<JobSummary> all = new ArrayList<>();
    jobs.values().forEach(job -> all.add(job.summary()));
    all.sort(Comparator.comparingLong(JobSummary::startedAt).reversed());
    return List.copyOf(all);
  }

  @Override
  public synchronized Optional<JobModel> job(String id) {
    return Optional.ofNullable(jobs.get(id));
  }

  @Override
  public Optional<String> metrics() {
    List<JobModel> shown;
    synchronized (this) {
      shown = List.copyOf(jobs.values());
      if (metrics.isEmpty()) {
        metrics = Optional.of(new PrometheusPage());
      }
    }
    return metrics.map(page -> page.text(shown));
  }

  @Override
  public List<String> remarks() {
    return List.of();
  }
}
