package dev.anemone.beam.ndp;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many splits of a source have not begun, where all of its tasks run in this process. Tasks do
 * not begin in the order of their indices, since the engine looks at where their data is.
 * Thread-safe.
 */
final class BegunSplits {

  private final Set<Integer> begun = ConcurrentHashMap.newKeySet();

  /**
   * Notes that a task has begun, and says how many have not.
   *
   * @param task its index; that of a task that begins again counts once
   * @param tasks of the source
   */
  int leftAfter(int task, int tasks) {
    begun.add(task);
    return Math.max(0, tasks - begun.size());
  }
}
