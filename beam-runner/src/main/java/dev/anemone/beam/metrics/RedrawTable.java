// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import dev.anemone.runtime.engine.Redraw;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What came of the samples of a job, for people: for each sample what it cost, a line for each
 * shuffle, and the notes of the run-time passes.
 */
public final class RedrawTable {

  private static final List<String> TITLES =
      List.of(
          "edge",
          "tasks",
          "even: max",
          "mean",
          "max/mean",
          "drawn: max",
          "mean",
          "max/mean",
          "read: max",
          "mean",
          "max/mean");

  private RedrawTable() {}

  /**
   * A section for each redraw, an empty line before it; nothing when there are none. {@code even}
   * is what the sample lets one expect of even ranges of hashes, {@code drawn} of the ranges that
   * were drawn, and {@code read} is what the tasks have read, all in bytes per consumer task before
   * compression.
   *
   * @param redraws {@link dev.anemone.runtime.engine.JobResult#redraws()}
   * @param readBytes {@link dev.anemone.runtime.engine.JobResult#readBytes()}
   */
  public static String of(List<Redraw> redraws, Map<String, List<Long>> readBytes) {
    StringBuilder text = new StringBuilder();
    for (Redraw redraw : redraws) {
      text.append('\n').append(heading(redraw)).append('\n');
      TextTable table = new TextTable(TITLES);
      for (Redraw.Shuffle shuffle : redraw.shuffles()) {
        table.add(row(shuffle, read(shuffle.edge(), readBytes)));
      }
      text.append(table.print());
      redraw.notes().forEach(note -> text.append(note).append('\n'));
    }
    return text.toString();
  }

  private static String heading(Redraw redraw) {
    return redraw.messageId()
        + ": "
        + tasks(redraw.sampledTasks())
        + " sampled and kept, "
        + (redraw.heldTasks() == 0 ? "none" : TextTable.count(redraw.heldTasks()))
        + " waited; sizes known after "
        + TextTable.count(redraw.sampleMillis())
        + " ms, ranges drawn in "
        + TextTable.count(redraw.passMillis())
        + " ms";
  }

  private static String tasks(int number) {
    return TextTable.count(number) + (number == 1 ? " task" : " tasks");
  }

  /** What tasks have read over edges whose ids are joined; over each of them, or over links. */
  private static TaskBytes read(String edges, Map<String, List<Long>> readBytes) {
    List<String> missing = new ArrayList<>(ids(edges));
    TaskBytes sum = new TaskBytes(List.of());
    for (Map.Entry<String, List<Long>> link : readBytes.entrySet()) {
      if (missing.containsAll(ids(link.getKey()))) {
        missing.removeAll(ids(link.getKey()));
        sum = sum.plus(new TaskBytes(link.getValue()));
      }
    }
    return missing.isEmpty() ? sum : new TaskBytes(List.of());
  }

  private static List<String> ids(String edges) {
    return List.of(edges.split("\\+", -1));
  }

  private static List<String> row(Redraw.Shuffle shuffle, TaskBytes read) {
    int before = shuffle.before().size();
    int after = shuffle.after().size();
    TaskBytes even = new TaskBytes(shuffle.before());
    TaskBytes drawn = new TaskBytes(shuffle.after());
    return List.of(
        shuffle.edge(),
        before == after ? TextTable.count(after) : before + " -> " + after,
        even.max(),
        even.mean(),
        even.maxToMean(),
        drawn.max(),
        drawn.mean(),
        drawn.maxToMean(),
        read.max(),
        read.mean(),
        read.maxToMean());
  }
}
