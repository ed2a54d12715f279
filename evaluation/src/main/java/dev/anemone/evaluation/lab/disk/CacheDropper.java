// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.disk;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.SystemCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Empties the kernel's cache of files again and again, so that what a job has written is read from
 * the disk, as where the data is larger than the memory. Works on the whole machine.
 */
public final class CacheDropper implements AutoCloseable {
  private static final Path SWITCH = Path.of("/proc/sys/vm/drop_caches");

  /** Drops clean pages, and not what the kernel knows of directories. */
  private static final String PAGES = "1";

  private static final Duration SYNC_DEADLINE = Duration.ofMinutes(5);

  private final Path directory;
  private final ScheduledExecutorService thread;
  private final Future<?> dropping;

  private CacheDropper(Path directory, Duration interval) {
    this.directory = directory;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread dropper = new Thread(task, "cache-dropper");
              dropper.setDaemon(true);
              return dropper;
            });
    this.dropping = start(interval);
  }

  private ScheduledFuture<?> start(Duration interval) {
    return thread.scheduleWithFixedDelay(
        () -> {
          try {
            drop(directory);
          } catch (IOException failed) {
            throw new ExperimentFailure(failed, "The cache could not be emptied: %s", failed);
          } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
          }
        },
        interval.toMillis(),
        interval.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /** Syncs a directory's disk and empties the cache, again and again; fails if it may not. */
  public static CacheDropper every(Duration interval, Path directory)
      throws IOException, InterruptedException {
    if (!Files.isWritable(SWITCH)) {
      throw new ExperimentFailure(
          "The kernel's cache of files cannot be emptied, since %s cannot be written; what a job"
              + " has written would be read from memory. Measure as root.",
          SWITCH);
    }
    drop(directory);
    return new CacheDropper(directory, interval);
  }

  private static void drop(Path directory) throws IOException, InterruptedException {
    // Only what is on the disk already can be dropped.
    String said = SystemCommand.run(directory, SYNC_DEADLINE, List.of("sync", "-f", "."));
    assert said.isEmpty();
    Files.writeString(SWITCH, PAGES);
  }

  /** Fails if the cache could not be emptied every time since the start. */
  public void requireWorking() {
    if (dropping.isDone()) {
      try {
        dropping.get();
      } catch (ExecutionException failed) {
        throw new ExperimentFailure(failed, "%s", failed.getCause().getMessage());
      } catch (InterruptedException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
