// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tez.dag.api.oldrecords.TaskAttemptState;
import org.apache.tez.dag.app.dag.Task;
import org.apache.tez.dag.app.dag.TaskAttempt;
import org.apache.tez.dag.app.dag.speculation.legacy.LegacyTaskRuntimeEstimator;
import org.apache.tez.dag.records.TezTaskAttemptID;

/**
 * How long an attempt will run, for speculation: what its progress says, as in Tez, but an attempt
 * whose progress has stood still for some time is taken to need half of that time again at least.
 *
 * <p>Progress is the part of the input that was read. By that alone an attempt that has read all of
 * it is done at any moment, however long it has been at its last elements or at writing what comes
 * of them, and no second attempt would ever overtake it. With this estimate one is begun when it
 * has stood still for twice as long as other tasks take in all, as in LATE (Zaharia et al.,
 * <i>Improving MapReduce Performance in Heterogeneous Environments</i>) the attempts come first
 * that are thought to end last.
 *
 * <p>Tez makes one for each vertex, which is told of attempts by one thread and asked by another.
 */
public final class StandstillEstimator extends LegacyTaskRuntimeEstimator {

  private final Map<TezTaskAttemptID, Standing> standings = new ConcurrentHashMap<>();

  /**
   * Where an attempt stands.
   *
   * @param progress from 0 to 1
   * @param since when it got there, as all times in ms of the master's clock
   * @param lastSeen when it was last known to be there
   */
  private record Standing(float progress, long since, long lastSeen) {

    Standing at(float now, long time) {
      return new Standing(now, now == progress ? since : time, time);
    }

    /** From a start to its end. */
    long estimate(long start) {
      return lastSeen - start + (lastSeen - since) / 2;
    }
  }

  @Override
  public void updateAttempt(TezTaskAttemptID id, TaskAttemptState state, long timestamp) {
    super.updateAttempt(id, state, timestamp);
    Task task = vertex.getTask(id.getTaskID());
    TaskAttempt attempt = task == null ? null : task.getAttempt(id);
    if (attempt == null || state != TaskAttemptState.RUNNING) {
      standings.remove(id);
      return;
    }
    float progress = attempt.getProgress();
    standings.compute(
        id,
        (same, last) ->
            last == null
                ? new Standing(progress, timestamp, timestamp)
                : last.at(progress, timestamp));
  }

  @Override
  public long estimatedRuntime(TezTaskAttemptID id) {
    long byProgress = super.estimatedRuntime(id);
    Standing standing = standings.get(id);
    return standing == null
        ? byProgress
        : Math.max(byProgress, standing.estimate(attemptEnrolledTime(id)));
  }
}
