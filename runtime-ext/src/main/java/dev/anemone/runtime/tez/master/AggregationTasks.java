// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import dev.anemone.runtime.tez.task.AggregationProcessor;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.apache.tez.dag.api.oldrecords.TaskAttemptState;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.dag.Task;
import org.apache.tez.dag.app.dag.Vertex;

/** Tasks that producers push to: what they have been given is lost when they end. */
public final class AggregationTasks {

  private AggregationTasks() {}

  /** Whether the tasks of a vertex are such. */
  static boolean areOf(Vertex vertex) {
    return vertex
        .getProcessorDescriptor()
        .getClassName()
        .equals(AggregationProcessor.class.getName());
  }

  /**
   * When the first of those began that run now, in ms of the master's clock; empty when none runs.
   * Thread-safe.
   */
  public static OptionalLong runningSince(DAG dag) {
    return dag.getVertices().values().stream()
        .filter(AggregationTasks::areOf)
        .flatMap(vertex -> vertex.getTasks().values().stream())
        .flatMapToLong(AggregationTasks::launchTimes)
        .min();
  }

  /** When the first attempt of a task began that runs now, ms; empty when none runs. */
  static OptionalLong firstLaunch(Task task) {
    return launchTimes(task).min();
  }

  private static LongStream launchTimes(Task task) {
    return task.getAttempts().values().stream()
        .filter(attempt -> attempt.getState() == TaskAttemptState.RUNNING)
        .mapToLong(attempt -> attempt.getLaunchTime());
  }
}
