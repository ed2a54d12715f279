// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.event.JobProgress.StageProgress;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.tez.dag.api.client.Progress;

/**
 * How far the stages of a job are, as Tez counts it.
 *
 * @param stages by id
 */
public record TezProgress(Map<String, StageProgress> stages) {

  /** The progress of a DAG, by the names of its vertices. */
  public static TezProgress of(Map<String, Progress> vertices) {
    Map<String, StageProgress> stages = new TreeMap<>();
    vertices.forEach(
        (stage, of) ->
            stages.put(
                stage,
                new StageProgress(
                    of.getRunningTaskCount(),
                    of.getSucceededTaskCount(),
                    of.getFailedTaskAttemptCount(),
                    of.getTotalTaskCount())));
    return new TezProgress(stages);
  }

  /** How many tasks each stage has; 0 when Tez does not know it yet. */
  public Map<String, Integer> tasks() {
    return stages.entrySet().stream()
        .collect(
            Collectors.toMap(Map.Entry::getKey, stage -> Math.max(0, stage.getValue().total())));
  }
}
