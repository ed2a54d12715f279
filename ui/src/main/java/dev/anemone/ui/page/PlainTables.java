// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.page;

import dev.anemone.ui.model.ExecutorView;
import dev.anemone.ui.model.JobHead;
import dev.anemone.ui.model.JobSummary;
import dev.anemone.ui.model.StageView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What browsers without JavaScript show: tables. */
final class PlainTables {

  private final StringBuilder html = new StringBuilder();

  private PlainTables() {}

  /** A job. */
  static String ofJob(JobHead head) {
    PlainTables tables = new PlainTables();
    tables.job(head);
    return tables.html.toString();
  }

  /** The jobs that there are, each with a link. */
  static String ofJobs(List<JobSummary> jobs) {
    PlainTables tables = new PlainTables();
    tables.open("Job", "State", "Policy", "Started", "Time", "Attempts");
    for (JobSummary job : jobs) {
      String name = job.name().isEmpty() ? job.id() : job.name();
      tables.html.append("<tr><td><a href=\"jobs/").append(Addresses.segment(job.id()));
      tables.html.append("\">").append(Html.escaped(name)).append("</a></td>");
      tables.html.append("<td><span class=\"pill ").append(job.state().name());
      tables.html.append("\">").append(job.state().name().toLowerCase(Locale.ROOT));
      tables.html.append("</span></td>");
      tables.cells(
          job.policy(),
          job.startedAt() == 0
              ? ""
              : Instant.ofEpochMilli(job.startedAt()).truncatedTo(ChronoUnit.SECONDS).toString(),
          seconds(job.lastAt() - job.startedAt()),
          number(job.attempts()));
      tables.html.append("</tr>\n");
    }
    tables.close();
    return tables.html.toString();
  }

  private void job(JobHead head) {
    JobSummary job = head.summary();
    html.append("<p>").append(Html.escaped(job.name().isEmpty() ? job.id() : job.name()));
    html.append(": ").append(job.state().name().toLowerCase(Locale.ROOT)).append(", policy ");
    html.append(Html.escaped(job.policy())).append(", ");
    html.append(seconds(job.lastAt() - job.startedAt())).append("</p>\n");
    head.remarks()
        .forEach(remark -> html.append("<p>").append(Html.escaped(remark)).append("</p>\n"));
    head.failure()
        .ifPresent(
            failure ->
                html.append("<pre>").append(Html.escaped(failure.stackTrace())).append("</pre>\n"));
    Map<String, String> names = new HashMap<>();
    head.stages().forEach(stage -> names.put(stage.stage(), stage.name()));
    open("Stage", "What", "Done", "Of", "Failed", "Time", "Read", "Written", "Spilled");
    for (StageView stage : head.counts()) {
      html.append("<tr>");
      cells(
          stage.stage(),
          names.getOrDefault(stage.stage(), ""),
          number(stage.succeeded()),
          number(stage.total()),
          number(stage.failed()),
          seconds(stage.endedAt() - stage.startedAt()),
          number(stage.readBytes()),
          number(stage.writtenBytes()),
          number(stage.spilledBytes()));
      html.append("</tr>\n");
    }
    close();
    open("Executor", "Host", "Slots", "Lost");
    for (ExecutorView executor : head.executors()) {
      html.append("<tr>");
      cells(executor.executor(), executor.host(), number(executor.slots()), executor.cause());
      html.append("</tr>\n");
    }
    close();
  }

  private void open(String... titles) {
    html.append("<div class=\"scroll\"><table><thead><tr>");
    for (String title : titles) {
      html.append("<th>").append(title).append("</th>");
    }
    html.append("</tr></thead><tbody>\n");
  }

  private void close() {
    html.append("</tbody></table></div>\n");
  }

  private void cells(String... texts) {
    for (String text : texts) {
      html.append("<td>").append(Html.escaped(text)).append("</td>");
    }
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
  }
}
