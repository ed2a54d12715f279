// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import dev.anemone.runtime.spi.TaskContext;
import dev.anemone.runtime.spi.TaskListener;
import dev.anemone.runtime.spi.TaskPhase;

/** Lets faults happen between the phases of tasks, where a {@link FaultDirectory} wants it. */
public final class FaultListener implements TaskListener {

  @Override
  public void reached(TaskPhase phase, String stage, TaskContext task) throws Exception {
    if (FaultDirectory.here().isPresent()) {
      FaultDirectory.here()
          .get()
          .reached(phase.name(), stage, task.taskIndex() + " " + task.attempt());
    }
  }
}
