// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.task;

import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.tez.job.JobFiles;
import dev.anemone.runtime.tez.job.JobScope;
import dev.anemone.runtime.tez.job.LineageFiles;
import dev.anemone.runtime.transfer.lineage.MixedVersionsException;
import dev.anemone.runtime.transfer.lineage.OutdatedInputException;
import dev.anemone.runtime.transfer.lineage.TaskLineage;
import java.io.IOException;
import java.time.Duration;
import org.apache.tez.runtime.api.ProcessorContext;
import org.apache.tez.runtime.api.TaskFailureType;

/** The end of an attempt that has done all its work: whether it may count, and its report. */
final class TaskCommit {

  /** Between the first two questions; how long they go on, {@code --commitMs} says. */
  private static final Duration FIRST_WAIT = Duration.ofMillis(1);

  /** The most between two questions. */
  private static final Duration LONGEST_WAIT = Duration.ofMillis(20);

  private final ProcessorContext context;
  private final JobScope scope;
  private final JobFiles files;
  private final String stage;
  private final Duration timeout;

  TaskCommit(ProcessorContext context, JobScope scope, JobFiles files, StagePlan plan) {
    this.context = context;
    this.scope = scope;
    this.files = files;
    this.stage = plan.stage().name();
    this.timeout = plan.job().waits().commit();
  }

  /**
   * Waits until no other attempt of the task can commit, and reports.
   *
   * @throws MixedVersionsException when the job cannot end well any more; it has been told
   */
  void commit(JobFiles.TaskReports reports) throws Exception {
    awaitPermission();
    TaskLineage own = reports.lineage();
    int task = context.getTaskIndex();
    int attempt = context.getTaskAttemptNumber();
    LineageFiles lineages = new LineageFiles(files, scope.lineages(files), stage, task);
    lineages.compareWithPrevious(attempt, own);
    scope.reports(files).write(stage, task, attempt, reports);
    try {
      lineages.compareWithOthers(own);
    } catch (MixedVersionsException e) {
      files.writeJobFailure(stage, task, e);
      context.reportFailure(TaskFailureType.FATAL, e, e.getMessage());
      throw e;
    }
  }

  /** Ends an attempt, which is not to blame for it, so that another one runs. */
  void runAgain(OutdatedInputException reason) {
    context.killSelf(reason, reason.getMessage());
  }

  /** Of several attempts of one task, Tez lets only one go on. */
  private void awaitPermission() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    long wait = FIRST_WAIT.toMillis();
    while (!context.canCommit()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "another attempt of this task was allowed to commit and has not done so for "
                + timeout.toMillis()
                + " ms");
      }
      Thread.sleep(wait);
      wait = Math.min(2 * wait, LONGEST_WAIT.toMillis());
    }
  }
}
