// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A file with a process's numbers, written anew again and again, for a collector on the machine
 * (such as that for text files of Prometheus's node exporter). Readers see one version or the next.
 */
final class MetricsFile implements AutoCloseable {

  private static final long CLOSE_SECONDS = 5;

  private final Path file;
  private final Supplier<String> text;
  private final ScheduledExecutorService writer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "anemone-metrics");
            thread.setDaemon(true);
            return thread;
          });

  private MetricsFile(Path file, Supplier<String> text) {
    this.file = file;
    this.text = text;
  }

  /**
   * Writes it now, and from now on.
   *
   * @throws IOException when it cannot be written
   */
  static MetricsFile open(Path file, Duration pause, Supplier<String> text) throws IOException {
    MetricsFile metrics = new MetricsFile(file, text);
    metrics.write();
    long millis = pause.toMillis();
    var writing =
        metrics.writer.scheduleWithFixedDelay(
            metrics::writeOrSay, millis, millis, TimeUnit.MILLISECONDS);
    assert !writing.isDone();
    return metrics;
  }

  Path file() {
    return file;
  }

  private void writeOrSay() {
    try {
      write();
    } catch (IOException e) {
      System.err.println("anemone: " + file + " cannot be written: " + e.getMessage());
    }
  }

  private void write() throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, text.get());
    try {
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Writes it no longer, and deletes it: its numbers are those of nobody. */
  @Override
  public void close() throws IOException {
    writer.shutdownNow();
    try {
      if (!writer.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(file + " is still being written");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Files.deleteIfExists(file);
  }
}
