// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import dev.anemone.runtime.event.JobFinished;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How far a job is, as lines for a terminal or a file. Immutable. */
final class ProgressText {

  private static final int MOST_BARS = 12;
  private static final int BAR = 20;
  private static final int NARROW_BAR = 10;
  private static final int NARROW = 80;
  private static final int PERCENT = 100;
  private static final double SECOND = 1000;

  private ProgressText() {}

  /**
   * A line with a bar for each stage that runs.
   *
   * @param columns no line is longer
   * @param before how long stages took the last time
   */
  static List<String> bars(JobFigures job, LastRun before, long now, int columns) {
    List<String> lines = new ArrayList<>();
    List<StageFigures> running = job.running();
    for (StageFigures stage : running.subList(0, Math.min(MOST_BARS, running.size()))) {
      lines.add(bar(stage, before.of(stage.id()), now, columns));
    }
    if (running.size() > MOST_BARS) {
      lines.add("and " + (running.size() - MOST_BARS) + " stages more");
    }
    return lines;
  }

  private static String bar(StageFigures stage, Optional<Duration> before, long now, int columns) {
    int width = columns < NARROW ? NARROW_BAR : BAR;
    int full = (int) Math.round(stage.fraction() * width);
    StringBuilder bar = new StringBuilder(" [");
    for (int i = 0; i < width; i++) {
      bar.append(i < full ? '=' : i == full ? '>' : ' ');
    }
    bar.append("] ").append(figures(stage, before, now));
    int room = columns - 1;
    if (bar.length() + NARROW_BAR > room) {
      bar.setLength(Math.max(0, room - NARROW_BAR));
    }
    String name = ShortNames.cut(stage.name(), room - bar.length());
    return name + bar;
  }

  /**
   * A plain line for each stage that runs, or one for the job when none does.
   *
   * @param before how long stages took the last time
   */
  static List<String> plain(JobFigures job, LastRun before, long now) {
    String head = job.name() + ", " + Quantities.time(job.elapsed(now)) + ": ";
    List<StageFigures> running = job.running();
    if (running.isEmpty()) {
      return List.of(head + job.done() + " of " + job.stages().size() + " stages done");
    }
    return running.stream()
        .map(stage -> head + stage.name() + ", " + figures(stage, before.of(stage.id()), now))
        .toList();
  }

  private static String figures(StageFigures stage, Optional<Duration> before, long now) {
    List<String> words = new ArrayList<>();
    words.add(Math.round(PERCENT * stage.fraction()) + " %");
    words.add(stage.done() + "/" + stage.tasks() + " tasks");
    if (stage.rows() > 0) {
      words.add(Quantities.count(stage.rows()) + " rows");
    }
    double seconds = stage.elapsed(now).toMillis() / SECOND;
    if (stage.bytes() > 0) {
      words.add(Quantities.bytes(stage.bytes()));
      if (seconds > 0) {
        words.add(Quantities.bytes((long) (stage.bytes() / seconds)) + "/s");
      }
    }
    stage.left(now, before).ifPresent(left -> words.add(Quantities.time(left) + " left"));
    return String.join(", ", words);
  }

  /**
   * The last line of a job.
   *
   * @param results where what it has written is; empty when that is not known
   * @param report the file with its page; empty for none
   */
  static String end(JobFigures job, List<String> results, Optional<String> report) {
    List<String> words = new ArrayList<>();
    JobFinished.State state = job.end().orElse(JobFinished.State.CANCELLED);
    String how =
        switch (state) {
          case SUCCEEDED -> "done in ";
          case FAILED -> "failed after ";
          case CANCELLED -> "cancelled after ";
        };
    words.add(job.name() + ": " + how + Quantities.time(job.elapsed(0)));
    if (job.rows() > 0) {
      words.add(
          Quantities.count(job.rows())
              + " rows and "
              + Quantities.bytes(job.bytes())
              + " between stages, "
              + Quantities.bytes(job.spilledBytes())
              + " spilled");
    }
    if (state == JobFinished.State.SUCCEEDED && !results.isEmpty()) {
      words.add("result: " + String.join(", ", results));
    }
    report.ifPresent(file -> words.add("report: " + file));
    return String.join("; ", words);
  }
}
