// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.tez.directory.MessageReader;
import dev.anemone.runtime.tez.job.JobFiles.TaskReports;
import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What all tasks of a job have reported, each by its last attempt. What was read once is not read
 * again. Thread-safe.
 *
 * @param <T> what is kept of a report
 */
public final class TaskReportReader<T> {

  /**
   * A task.
   *
   * @param stage name of its stage
   * @param index in the stage
   */
  public record Task(String stage, int index) implements Comparable<Task> {

    private static final Comparator<Task> ORDER =
        Comparator.comparing(Task::stage).thenComparingInt(Task::index);

    @Override
    public int compareTo(Task other) {
      return ORDER.compare(this, other);
    }
  }

  private record Kept<T>(int attempt, T report) {}

  private final MessageReader messages;
  private final Function<TaskReports, T> kept;
  private final SortedMap<Task, Kept<T>> last = new TreeMap<>();

  /** When the newest reading that has ended began, by {@link System#nanoTime}. */
  private long begun = System.nanoTime();

  TaskReportReader(MessageReader messages, Function<TaskReports, T> kept) {
    this.messages = messages;
    this.kept = kept;
  }

  /** What there is now. */
  public SortedMap<Task, T> read() throws IOException {
    return readAfter(System.nanoTime());
  }

  private synchronized SortedMap<Task, T> readAfter(long asked) throws IOException {
    readNews(asked);
    SortedMap<Task, T> reports = new TreeMap<>();
    last.forEach((task, report) -> reports.put(task, report.report()));
    return reports;
  }

  /** What a task has reported; empty when it has not. */
  public Optional<T> read(String stage, int task) throws IOException {
    return readAfter(System.nanoTime(), new Task(stage, task));
  }

  private synchronized Optional<T> readAfter(long asked, Task task) throws IOException {
    readNews(asked);
    return Optional.ofNullable(last.get(task)).map(Kept::report);
  }

  /** All that have asked while others were answered are answered by one reading. */
  private void readNews(long asked) throws IOException {
    if (begun - asked > 0) {
      return;
    }
    long reading = System.nanoTime();
    for (byte[] message : messages.next()) {
      ReportCodec.Report report = ReportCodec.read(message);
      last.merge(
          new Task(report.stage(), report.task()),
          new Kept<>(report.attempt(), kept.apply(report.reports())),
          (before, now) -> now.attempt() >= before.attempt() ? now : before);
    }
    begun = reading;
  }
}
