// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.engine.TaskReport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reports of the tasks of a job that runs, as they come. Each is read once: that of a task that
 * is run again, since what it wrote was lost, is that of its first attempt. Thread-safe.
 */
public final class ArrivingReports {

  private static final Logger LOG = LoggerFactory.getLogger(ArrivingReports.class);

  private final JobFiles files;
  private final Map<String, List<TaskReport>> known = new TreeMap<>();

  /** Those in the files of a job. */
  public ArrivingReports(JobFiles files) {
    this.files = files;
  }

  /**
   * What has been reported until now; what was known before, where the files cannot be had just
   * now, or not any more, as the job has ended.
   */
  public synchronized List<TaskReport> soFar() {
    try {
      List<String> arrived =
          files.reportFiles().stream().filter(file -> !known.containsKey(file)).toList();
      List<List<TaskReport>> operators = files.readOperators(arrived);
      for (int i = 0; i < arrived.size(); i++) {
        known.put(arrived.get(i), operators.get(i));
      }
    } catch (IOException e) {
      LOG.debug("No news of what tasks report", e);
    }
    return known.values().stream().flatMap(List::stream).toList();
  }
}
