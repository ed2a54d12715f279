// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * Writes the files of a data set in parallel. The data appears under its directory all at once,
 * when it is complete; several processes that generate the same data at the same time do not
 * disturb each other.
 */
public final class DataSetWriter {
  private final DataSetKind kind;
  private final String title;

  /** Writes one or several files. */
  public interface Part {
    /** Writes into a directory that exists. */
    void write(Path directory) throws IOException;
  }

  /**
   * A writer.
   *
   * @param title what messages call the data
   */
  public DataSetWriter(DataSetKind kind, String title) {
    this.kind = kind;
    this.title = title;
  }

  /**
   * Writes all parts, and what they are.
   *
   * @param directory what shall hold the files; it does not exist, or is empty
   * @param bytes about how many they have together
   * @param parts the biggest first, so that the threads finish at about the same time
   * @throws IllegalArgumentException if there is not enough room on the disk
   * @throws IOException if a file cannot be written
   */
  public void write(Path directory, long bytes, List<? extends Part> parts) throws IOException {
    Path target = directory.toAbsolutePath();
    Path parent = Files.createDirectories(target.getParent());
    checkRoom(parent, bytes);
    Path unfinished = Files.createTempDirectory(parent, "." + kind.benchmark() + "-unfinished-");
    try {
      writeAll(unfinished, parts);
      Files.writeString(
          unfinished.resolve(DataSet.propertiesFile(kind)),
          kind.properties().entrySet().stream()
              .map(property -> property.getKey() + "=" + property.getValue() + "\n")
              .collect(Collectors.joining()));
      publish(unfinished, target);
    } finally {
      FileTrees.delete(unfinished);
    }
  }

  private void checkRoom(Path parent, long needed) throws IOException {
    long usable = Files.getFileStore(parent).getUsableSpace();
    if (usable < needed) {
      throw new IllegalArgumentException(
          title
              + " needs about "
              + needed / 1_000_000
              + " MB, but the disk of "
              + parent
              + " has only "
              + usable / 1_000_000
              + " MB left. Choose a smaller --scale, or a directory on another disk with --data.");
    }
  }

  private void writeAll(Path directory, List<? extends Part> parts) throws IOException {
    List<Callable<Void>> writes =
        parts.stream()
            .map(
                part ->
                    (Callable<Void>)
                        () -> {
                          part.write(directory);
                          return null;
                        })
            .toList();
    ExecutorService executor =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      for (Future<Void> write : executor.invokeAll(writes)) {
        write.get();
      }
    } catch (ExecutionException failed) {
      throw new IOException(
          title + " cannot be generated: " + failed.getCause().getMessage(), failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while " + title + " was generated", interrupted);
    } finally {
      executor.shutdownNow();
    }
  }

  private void publish(Path unfinished, Path target) throws IOException {
    try {
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException notMoved) {
      // Another process may have been faster; its data is as good as ours.
      if (!Files.exists(target.resolve(DataSet.propertiesFile(kind)))) {
        throw notMoved;
      }
    }
  }
}
