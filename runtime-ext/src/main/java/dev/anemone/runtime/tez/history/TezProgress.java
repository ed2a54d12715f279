// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.event.JobProgress.Counted;
import dev.anemone.runtime.event.JobProgress.StageProgress;
import java.util.Map;
import java.util.Optional;
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

  /**
   * The same with what attempts that run have done.
   *
   * @param counted by stage; nothing counts of a stage of which no task runs
   */
  public TezProgress with(Map<String, Counted> counted) {
    Map<String, StageProgress> more = new TreeMap<>();
    stages.forEach(
        (stage, of) ->
            more.put(
                stage,
                new StageProgress(
                    of.running(),
                    of.succeeded(),
                    of.failed(),
                    of.total(),
                    Optional.ofNullable(counted.get(stage)).filter(known -> of.running() > 0))));
    return new TezProgress(more);
  }

  /** What attempts that run have done, by stage. */
  public static Map<String, Counted> counted(JobProgress progress) {
    Map<String, Counted> counted = new TreeMap<>();
    progress
        .stages()
        .forEach((stage, of) -> of.counted().ifPresent(known -> counted.put(stage, known)));
    return counted;
  }

  /** How many tasks each stage has; 0 when Tez does not know it yet. */
  public Map<String, Integer> tasks() {
    return stages.entrySet().stream()
        .collect(
            Collectors.toMap(Map.Entry::getKey, stage -> Math.max(0, stage.getValue().total())));
  }
}
