// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.backend;

import java.io.PrintStream;
import java.util.Map;
import org.apache.tez.dag.api.client.Progress;

/** A line on standard error that shows how far a job is, and is cleared when the job ends. */
final class ProgressLine implements AutoCloseable {

  private static final String CLEAR = "\r\u001b[K";

  private final String job;
  private final PrintStream out;
  private String shown = "";

  private ProgressLine(String job, PrintStream out) {
    this.job = job;
    this.out = out;
  }

  /** A line for a job; shows nothing when not {@code enabled}. */
  static ProgressLine start(String job, boolean enabled) {
    return new ProgressLine(job, enabled ? System.err : null);
  }

  /** Shows the state; does nothing when it is the one that is shown. */
  void show(Progress tasks, Map<String, Progress> vertices) {
    if (out == null || tasks == null) {
      return;
    }
    String line = text(job, tasks, vertices);
    if (!line.equals(shown)) {
      out.print(CLEAR + line);
      out.flush();
      shown = line;
    }
  }

  static String text(String job, Progress tasks, Map<String, Progress> vertices) {
    long finished =
        vertices == null
            ? 0
            : vertices.values().stream()
                .filter(v -> v.getTotalTaskCount() == v.getSucceededTaskCount())
                .count();
    int total = Math.max(1, tasks.getTotalTaskCount());
    return String.format(
        "%s: %d/%d vertices, %d/%d tasks (%d running), %d %%",
        job,
        finished,
        vertices == null ? 0 : vertices.size(),
        tasks.getSucceededTaskCount(),
        tasks.getTotalTaskCount(),
        tasks.getRunningTaskCount(),
        100L * tasks.getSucceededTaskCount() / total);
  }

  @Override
  public void close() {
    if (out != null && !shown.isEmpty()) {
      out.print(CLEAR);
      out.flush();
    }
  }
}
