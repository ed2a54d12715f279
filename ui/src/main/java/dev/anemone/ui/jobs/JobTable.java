// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.jobs;

import dev.anemone.beam.terminal.Quantities;
import dev.anemone.beam.terminal.ShortNames;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** Jobs as lines with columns. */
final class JobTable {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

  private JobTable() {}

  static String of(List<Job> jobs) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ID", "STATE", "STARTED", "TIME", "NAME", "WHERE"));
    for (Job job : jobs) {
      rows.add(
          List.of(
              job.id(),
              job.state(),
              time(job.startedAt()),
              Quantities.time(took(job)),
              ShortNames.ofJob(job.name()),
              job.where()));
    }
    return text(rows);
  }

  static String time(long millis) {
    return TIME.format(Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault()));
  }

  static Duration took(Job job) {
    long end = job.endedAt().orElseGet(System::currentTimeMillis);
    return Duration.ofMillis(Math.max(0, end - job.startedAt()));
  }

  /** Columns as wide as they must be. */
  static String text(List<List<String>> rows) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
