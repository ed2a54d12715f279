// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.StagePlan;
import java.util.List;
import java.util.Objects;

/**
 * An attempt of a task.
 *
 * @param plan of its stage
 * @param task index in its stage
 * @param attempt from 0
 * @param last whether the job fails when this attempt does
 */
public record TaskAttempt(StagePlan plan, int task, int attempt, boolean last) {

  public TaskAttempt {
    Objects.requireNonNull(plan, "plan");
  }

  /** How runs that it writes are marked: by a number that is unique in the job. */
  Producer producer() {
    return new Producer(plan.firstTask() + task, attempt);
  }

  /** The partitions of an input link that it reads. */
  List<HashRange> partitionsOf(Link input) {
    return input.perTask().get(task);
  }
}
