// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.tez.job.TaskReportReader.Task;
import dev.anemone.runtime.transfer.lineage.MixedVersionsException;
import dev.anemone.runtime.transfer.lineage.TaskLineage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds tasks of a stage that have read different versions of what a stage before it has written,
 * by what they leave in the job's directory.
 *
 * <p>A task that runs again and writes something else marks its stage before it says so. A task
 * that ends first reports which versions it has read, then looks for marks of the stages that it
 * has read from, and compares itself with the others of its own stage where there is one. Of two
 * tasks that have read different versions, the one with the newer finds the mark, as it was there
 * before that version was; and if it does not find the other's report, the other will find the
 * mark. So the last one always knows, and whatever happens to application masters. Where nothing is
 * lost this costs a task one look.
 *
 * @param files of the job
 * @param reported what the tasks of the job have reported
 * @param stage whose task this is for
 * @param task index in its stage
 */
public record LineageFiles(
    JobFiles files, TaskReportReader<TaskLineage> reported, String stage, int task) {

  /**
   * Marks the stage when an attempt has written something else than the one before it. To be called
   * before anybody is told what it has written, and before its report replaces the other's.
   *
   * @param attempt number of the attempt, from 0
   */
  public void compareWithPrevious(int attempt, TaskLineage own) throws IOException {
    if (attempt == 0) {
      return;
    }
    Optional<TaskLineage> previous = reported.read(stage, task);
    if (previous.isPresent() && !previous.get().written().equals(own.written())) {
      files.markRewritten(stage);
    }
  }

  /**
   * Compares what an attempt has read with what the others of its stage have. To be called when its
   * report is written, and before anything that it did counts.
   *
   * @throws MixedVersionsException when another one has read something else
   */
  public void compareWithOthers(TaskLineage own) throws IOException {
    List<String> rewritten = new ArrayList<>();
    for (String producer : own.read().keySet()) {
      if (files.isRewritten(producer)) {
        rewritten.add(producer);
      }
    }
    if (rewritten.isEmpty()) {
      return;
    }
    for (Map.Entry<Task, TaskLineage> other : reported.read().entrySet()) {
      for (String producer : rewritten) {
        Long read = other.getValue().read().get(producer);
        if (other.getKey().stage().equals(stage)
            && read != null
            && !read.equals(own.read().get(producer))) {
          throw new MixedVersionsException(stage, task, other.getKey().index(), producer);
        }
      }
    }
  }
}
