// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import dev.anemone.runtime.event.AttemptTimes;
import dev.anemone.runtime.event.EdgesCounted;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.event.JobProgress.StageProgress;
import dev.anemone.runtime.event.JobStarted;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.event.StagesPlanned.Stage;
import dev.anemone.runtime.event.StagesPlanned.StageLink;
import dev.anemone.runtime.event.TaskFinished;
import dev.anemone.runtime.event.TaskFinished.Amount;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Events of a job that reads and counts: {@code read} has four tasks, {@code count} two. */
final class TestEvents {

  private TestEvents() {}

  static JobStarted started(long time) {
    return new JobStarted(
        time,
        JobStarted.VERSION,
        "",
        "id",
        "wordcount-ann-1125094407-3b1c",
        "Default",
        Map.of(),
        JobStarted.Environment.UNKNOWN);
  }

  static StagesPlanned planned(long time) {
    return new StagesPlanned(
        time,
        List.of(
            new Stage("s0", "Read lines", List.of("v1"), 4, List.of("Read lines")),
            new Stage("s1", "Count words", List.of("v2"), 2, List.of("Count words"))),
        List.of(new StageLink("s0", "s1", List.of("e1"), "SHUFFLE", "LOCAL_FILE", "PULL")));
  }

  static JobProgress progress(long time, StageProgress read, StageProgress count) {
    return new JobProgress(time, Map.of("s0", read, "s1", count), Map.of());
  }

  static TaskFinished task(
      String stage, int task, long from, long to, Amount read, Amount written) {
    return new TaskFinished(
        to,
        stage,
        task,
        0,
        Optional.of("local"),
        TaskFinished.State.SUCCEEDED,
        false,
        from,
        from,
        AttemptTimes.NONE,
        read,
        written,
        0,
        Optional.empty());
  }

  static EdgesCounted edges(long time) {
    return new EdgesCounted(
        time,
        Map.of(
            "e1",
            new EdgesCounted.EdgeTotals(
                1200, 34_000, 9_000, 1, 500, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        Map.of());
  }

  static JobFinished finished(long time, JobFinished.State state) {
    return new JobFinished(time, state, Optional.empty());
  }
}
