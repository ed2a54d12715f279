// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a process prints: goes to the log line by line, and its last lines are kept for errors.
 * Thread-safe.
 */
final class ProcessOutput {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessOutput.class);

  /** What a person reads of an error; the rest is in the log. */
  private static final int KEPT_LINES = 40;

  /** In which the last lines of a process that has ended are read. */
  private static final long END_MILLIS = 1000;

  private final Deque<String> lines = new ArrayDeque<>();
  private final Thread reader;

  private ProcessOutput(Process process, String name) {
    reader = new Thread(() -> read(process, name), "harness-output-" + name);
    reader.setDaemon(true);
  }

  /** Reads until the process has ended. */
  static ProcessOutput of(Process process, String name) {
    ProcessOutput output = new ProcessOutput(process, name);
    output.reader.start();
    return output;
  }

  private void read(Process process, String name) {
    try (BufferedReader printed = process.inputReader(StandardCharsets.UTF_8)) {
      String line = printed.readLine();
      while (line != null) {
        LOG.info("{}: {}", name, line);
        keep(line);
        line = printed.readLine();
      }
    } catch (IOException e) {
      LOG.info("{}: its output cannot be read any longer", name, e);
    }
  }

  private synchronized void keep(String line) {
    if (lines.size() == KEPT_LINES) {
      lines.removeFirst();
    }
    lines.addLast(line);
  }

  /** The last lines, indented. Of a process that has ended, all of its end. */
  String tail(Process process) throws InterruptedException {
    if (!process.isAlive()) {
      // Children of the process may hold its output open for longer.
      reader.join(END_MILLIS);
    }
    return lines();
  }

  private synchronized String lines() {
    return lines.isEmpty()
        ? " It printed nothing."
        : " It printed:\n  " + String.join("\n  ", lines);
  }
}
