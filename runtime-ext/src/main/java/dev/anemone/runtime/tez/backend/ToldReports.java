// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.backend;

import dev.anemone.runtime.engine.TaskReport;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which tasks have been asked already for what they tell once. All that a task reports comes at the
 * same time, so one that runs again, since its output was lost, tells nothing new. Not thread-safe.
 */
final class ToldReports {

  private final Set<Reporter> told = new HashSet<>();

  private record Reporter(String vertexId, int taskIndex) {

    static Reporter of(TaskReport report) {
      return new Reporter(report.vertexId(), report.taskIndex());
    }
  }

  /** The reports of those that this was not asked about before. */
  List<TaskReport> newOf(List<TaskReport> reports) {
    List<TaskReport> fresh =
        reports.stream().filter(report -> !told.contains(Reporter.of(report))).toList();
    fresh.forEach(report -> told.add(Reporter.of(report)));
    return fresh;
  }
}
