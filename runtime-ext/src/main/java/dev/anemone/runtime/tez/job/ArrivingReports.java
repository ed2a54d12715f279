// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.engine.TaskReport;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reports of the tasks of a job that runs, as they come. Thread-safe. */
public final class ArrivingReports {

  private static final Logger LOG = LoggerFactory.getLogger(ArrivingReports.class);

  private final TaskReportReader<List<TaskReport>> reports;
  private List<TaskReport> known = List.of();

  /** Those in the files of a job. */
  public ArrivingReports(JobFiles files) {
    this.reports = files.reports(JobFiles.TaskReports::reports);
  }

  /**
   * What has been reported until now; what was known before, where the files cannot be had just
   * now, or not any more, as the job has ended.
   */
  public synchronized List<TaskReport> soFar() {
    try {
      known = reports.read().values().stream().flatMap(List::stream).toList();
    } catch (IOException e) {
      LOG.debug("No news of what tasks report", e);
    }
    return known;
  }
}
