// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import dev.anemone.runtime.tez.job.GatheredAnnouncements;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.tez.runtime.api.TaskAttemptIdentifier;

/**
 * What the tasks of stages have announced to a consumer that awaits them all. It may come before
 * Tez says that the attempt has succeeded, or after, and from attempts that do not succeed. Used by
 * one thread at a time.
 */
final class AnnouncementGatherer {

  private final Map<String, Stage> stages = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

  /** A stage of producers. */
  private static final class Stage {

    /** What attempts have announced, by task and number: that of a killed one may come late. */
    private final Map<Integer, Map<Integer, GatheredAnnouncements.Entry>> announced =
        new HashMap<>();

    /** The attempt of each task that has succeeded last. */
    private final Map<Integer, Integer> completed = new TreeMap<>();

    /** Tasks whose attempt that has succeeded has announced. */
    private final BitSet settled = new BitSet();

    private void settle(int task) {
      settled.set(task, counting(task).isPresent());
    }

    private Optional<GatheredAnnouncements.Entry> counting(int task) {
      return Optional.ofNullable(completed.get(task))
          .map(attempt -> announced.getOrDefault(task, Map.of()).get(attempt));
    }
  }

  /** Takes what an attempt has announced. */
  void add(TaskAttemptIdentifier attempt, byte[] announcement) {
    if (!taken.contains(stage(attempt))) {
      Stage stage = of(stage(attempt));
      int task = task(attempt);
      stage
          .announced
          .computeIfAbsent(task, absent -> new HashMap<>())
          .put(
              attempt.getIdentifier(),
              new GatheredAnnouncements.Entry(task, attempt.getIdentifier(), announcement));
      stage.settle(task);
    }
  }

  /** Notes that an attempt has succeeded. */
  void completed(TaskAttemptIdentifier attempt) {
    if (!taken.contains(stage(attempt))) {
      Stage stage = of(stage(attempt));
      stage.completed.put(task(attempt), attempt.getIdentifier());
      stage.settle(task(attempt));
    }
  }

  private Stage of(String name) {
    return stages.computeIfAbsent(name, absent -> new Stage());
  }

  private static String stage(TaskAttemptIdentifier attempt) {
    return attempt.getTaskIdentifier().getVertexIdentifier().getName();
  }

  private static int task(TaskAttemptIdentifier attempt) {
    return attempt.getTaskIdentifier().getIdentifier();
  }

  /** Whether all of a stage's tasks have announced what they wrote. */
  boolean isComplete(String stage, int tasks) {
    return taken.contains(stage) || of(stage).settled.cardinality() == tasks;
  }

  /** What a stage has announced, by the tasks' indexes; from now on it is not gathered. */
  List<GatheredAnnouncements.Entry> take(String stage) {
    taken.add(stage);
    Stage complete = stages.remove(stage);
    return complete.completed.keySet().stream()
        .flatMap(task -> complete.counting(task).stream())
        .toList();
  }
}
