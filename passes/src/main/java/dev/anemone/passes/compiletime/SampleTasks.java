package dev.anemone.passes.compiletime;

import java.util.List;
import java.util.stream.IntStream;

/** Picks the tasks of a stage that are run ahead of the others to find out what it sends. */
final class SampleTasks {

  /** One task alone says nothing of how much tasks differ. */
  private static final int LEAST = 2;

  private SampleTasks() {}

  /**
   * Evenly spaced indices, ascending: as many as the rate asks for, two at least; all if there are
   * no more. Spaced, since neighbouring tasks tend to read neighbouring, similar data.
   *
   * @param tasks of the stage
   * @param rate part of them to pick, above 0 and at most 1
   */
  static List<Integer> of(int tasks, double rate) {
    int sampled = Math.min(tasks, Math.max(LEAST, (int) Math.ceil(rate * tasks)));
    return IntStream.range(0, sampled)
        .mapToObj(k -> (int) ((2L * k + 1) * tasks / (2L * sampled)))
        .toList();
  }
}
