// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.model;

import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.event.TaskFinished;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The attempts that the job's end waited for, each for the one before it: from the attempt that
 * ended last back to the one that held it up. That is the producer that ended last, or, where the
 * attempt could have begun then and waited for a slot, the attempt of the same executor that ended
 * last before it began; or the attempt before it of the same task, where that failed.
 */
final class CriticalPath {

  private final IdentityHashMap<TaskFinished, Integer> places = new IdentityHashMap<>();
  private final Map<TaskKey, List<TaskFinished>> tries = new HashMap<>();
  private final Map<String, NavigableMap<Long, TaskFinished>> succeeded = new HashMap<>();
  private final Map<String, NavigableMap<Long, TaskFinished>> onExecutor = new HashMap<>();
  private final Map<String, Set<String>> producers = new HashMap<>();

  private record TaskKey(String stage, int task) {}

  private CriticalPath(StagesPlanned stages, List<TaskFinished> attempts) {
    for (int i = 0; i < attempts.size(); i++) {
      TaskFinished attempt = attempts.get(i);
      places.put(attempt, i);
      if (attempt.state() == TaskFinished.State.SUCCEEDED) {
        succeeded
            .computeIfAbsent(attempt.stage(), stage -> new TreeMap<>())
            .put(attempt.time(), attempt);
      } else {
        tries
            .computeIfAbsent(
                new TaskKey(attempt.stage(), attempt.task()), task -> new ArrayList<>())
            .add(attempt);
      }
      attempt
          .executor()
          .ifPresent(
              executor ->
                  onExecutor
                      .computeIfAbsent(executor, name -> new TreeMap<>())
                      .put(attempt.time(), attempt));
    }
    for (StagesPlanned.StageLink link : stages.links()) {
      producers.computeIfAbsent(link.to(), stage -> new HashSet<>()).add(link.from());
    }
  }

  /** Indexes of attempts, the first to run first; empty before one has succeeded. */
  static List<Integer> of(StagesPlanned stages, List<TaskFinished> attempts) {
    return new CriticalPath(stages, attempts).path();
  }

  private List<Integer> path() {
    Deque<Integer> path = new ArrayDeque<>();
    Set<TaskFinished> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Optional<TaskFinished> next =
        succeeded.values().stream()
            .map(byEnd -> byEnd.lastEntry().getValue())
            .max(Comparator.comparingLong(TaskFinished::time));
    while (next.isPresent() && seen.add(next.get())) {
      path.addFirst(places.get(next.get()));
      next = before(next.get());
    }
    return List.copyOf(path);
  }

  private Optional<TaskFinished> before(TaskFinished attempt) {
    return failedTry(attempt).or(() -> slotHolder(attempt)).or(() -> lastProducer(attempt));
  }

  private Optional<TaskFinished> failedTry(TaskFinished attempt) {
    return tries.getOrDefault(new TaskKey(attempt.stage(), attempt.task()), List.of()).stream()
        .filter(other -> other.attempt() < attempt.attempt() && other.time() <= attempt.startedAt())
        .max(Comparator.comparingLong(TaskFinished::time));
  }

  private Optional<TaskFinished> slotHolder(TaskFinished attempt) {
    return attempt
        .executor()
        .map(onExecutor::get)
        .map(byEnd -> byEnd.floorEntry(attempt.startedAt()))
        .map(Map.Entry::getValue)
        .filter(other -> !other.equals(attempt) && other.time() > attempt.waitedFrom());
  }

  private Optional<TaskFinished> lastProducer(TaskFinished attempt) {
    return producers.getOrDefault(attempt.stage(), Set.of()).stream()
        .map(stage -> succeeded.getOrDefault(stage, Collections.emptyNavigableMap()))
        .map(byEnd -> byEnd.lowerEntry(attempt.time()))
        .filter(Objects::nonNull)
        .map(Map.Entry::getValue)
        .max(Comparator.comparingLong(TaskFinished::time));
  }
}
