// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.crail;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.workload.BroadcastProgram;
import dev.anemone.evaluation.papers.job.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A broadcast that each of many tasks reads; it keeps how long that took on each side. */
final class ReadBroadcast implements Workload {
  private final int tasks;
  private final Path times;
  private final Map<String, List<Long>> nanosBySide = new HashMap<>();

  /**
   * @param times where a run says how long its tasks took
   */
  ReadBroadcast(int tasks, Path times) {
    this.tasks = tasks;
    this.times = times;
  }

  @Override
  public String describe() {
    return String.format(
        Locale.ROOT, "a broadcast of %d bytes to %,d tasks", BroadcastProgram.BYTES, tasks);
  }

  @Override
  public long inputBytes() {
    return BroadcastProgram.BYTES;
  }

  @Override
  public Class<?> program() {
    return BroadcastProgram.class;
  }

  @Override
  public List<String> arguments() {
    return List.of(
        "--runner=NemoRunner",
        "--tasks=" + tasks,
        "--times=" + times,
        "--parallelism=" + tasks,
        "--passOptions=targetBytesPerTask=1");
  }

  @Override
  public void check(String side) throws IOException {
    List<Long> found = Files.readAllLines(times).stream().map(Long::valueOf).toList();
    Files.delete(times);
    if (found.size() != tasks) {
      throw new ExperimentFailure(
          "With %s %d tasks read what was broadcast, and there were %d.",
          side, found.size(), tasks);
    }
    nanosBySide.computeIfAbsent(side, k -> new ArrayList<>()).addAll(found);
  }

  /** How long the tasks of all runs on a side took, in microseconds, from short to long. */
  List<Double> microseconds(Store side) {
    return nanosBySide.get(side.title()).stream().sorted().map(nanos -> nanos / 1e3).toList();
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(times);
  }
}
