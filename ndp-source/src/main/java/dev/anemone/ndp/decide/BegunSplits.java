// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The splits of a source that tasks in this process have begun to read. Thread-safe.
 *
 * @param <S> a split, with {@code equals}
 */
public final class BegunSplits<S> {

  private final Map<Integer, Set<S>> byTask = new ConcurrentHashMap<>();

  /**
   * A source that is being read.
   *
   * @param splits of all tasks, at least 1
   * @param tasks that read them, at least 1
   * @param slots tasks that run at the same time, at least 1
   */
  public record Source(int splits, int tasks, int slots) {}

  /**
   * Notes that a split has begun.
   *
   * @param task that reads it; one that begins it again counts once
   */
  public void begin(S split, int task) {
    byTask.computeIfAbsent(task, one -> ConcurrentHashMap.newKeySet()).add(split);
  }

  /**
   * How many splits have not begun, where all tasks run in this process. Tasks do not begin in the
   * order of their indices, since the engine looks at where their data is.
   */
  public int leftOf(Source source) {
    int begun = byTask.values().stream().mapToInt(Set::size).sum();
    return Math.max(0, source.splits() - begun);
  }

  /**
   * The same where other processes have tasks, too. These are taken to begin in the order of their
   * indices, as many as there are slots at a time, and to be as far as the task that asks.
   */
  public int leftOf(Source source, int task) {
    double rounds = Math.ceil((double) source.tasks() / source.slots());
    int roundsBefore = task / source.slots();
    double ofTask = (double) source.splits() / source.tasks();
    double ofRound = Math.min(1, byTask.getOrDefault(task, Set.of()).size() / ofTask);
    return (int) Math.round(source.splits() * (1 - (roundsBefore + ofRound) / rounds));
  }
}
