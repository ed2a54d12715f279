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
   * The most that one of those has gathered that run now, as the time that it took: of the time
   * that it has run, the part of its producers that have succeeded. Thread-safe.
   *
   * @param now of the master's clock, ms
   * @return ms; 0 when none runs
   */
  public static long mostGathered(DAG dag, long now) {
    return dag.getVertices().values().stream()
        .filter(AggregationTasks::areOf)
        .mapToLong(vertex -> mostGathered(vertex, now))
        .max()
        .orElse(0);
  }

  private static long mostGathered(Vertex vertex, long now) {
    long since =
        vertex.getTasks().values().stream()
            .flatMapToLong(AggregationTasks::launchTimes)
            .min()
            .orElse(now);
    int producers = 0;
    int succeeded = 0;
    for (Vertex input : vertex.getInputVertices().keySet()) {
      producers += input.getTotalTasks();
      succeeded += input.getSucceededTasks();
    }
    return producers == 0 ? 0 : Math.max(0, now - since) * succeeded / producers;
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
