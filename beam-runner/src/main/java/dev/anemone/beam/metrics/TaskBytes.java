// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How many bytes each task of a stage gets.
 *
 * @param perTask an entry for each task; empty when it is not known
 */
record TaskBytes(List<Long> perTask) {

  /** Where there is nothing to say. */
  static final String NOTHING = "-";

  TaskBytes {
    perTask = List.copyOf(perTask);
  }

  /** What each task gets of both together. */
  TaskBytes plus(TaskBytes other) {
    List<Long> more = perTask.size() < other.perTask.size() ? other.perTask : perTask;
    List<Long> less = perTask.size() < other.perTask.size() ? perTask : other.perTask;
    List<Long> both = new ArrayList<>(more);
    for (int task = 0; task < less.size(); task++) {
      both.set(task, more.get(task) + less.get(task));
    }
    return new TaskBytes(both);
  }

  private long sum() {
    return perTask.stream().mapToLong(Long::longValue).sum();
  }

  /** The most that a task gets, as text. */
  String max() {
    return perTask.isEmpty() ? NOTHING : TextTable.bytes(largest());
  }

  /** What a task gets on average, as text. */
  String mean() {
    return perTask.isEmpty() ? NOTHING : TextTable.bytes(Math.round(average()));
  }

  /** How many times the average the largest task gets, with two digits behind the point. */
  String maxToMean() {
    return sum() == 0 ? NOTHING : String.format(Locale.ROOT, "%.2f", largest() / average());
  }

  private long largest() {
    return perTask.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  private double average() {
    return (double) sum() / perTask.size();
  }
}
