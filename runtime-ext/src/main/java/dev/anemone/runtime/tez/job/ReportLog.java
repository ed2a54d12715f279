// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.tez.directory.MessageLog;
import java.io.Closeable;
import java.io.IOException;

/** What the tasks of a job report that run in one JVM. Thread-safe. */
public final class ReportLog implements Closeable {

  private final MessageLog messages;

  ReportLog(MessageLog messages) {
    this.messages = messages;
  }

  /** Writes what a task reports. Of several attempts of a task, the last one counts. */
  public void write(String stage, int task, int attempt, JobFiles.TaskReports reports)
      throws IOException {
    messages.append(ReportCodec.write(new ReportCodec.Report(stage, task, attempt, reports)));
  }

  @Override
  public void close() throws IOException {
    messages.close();
  }
}
