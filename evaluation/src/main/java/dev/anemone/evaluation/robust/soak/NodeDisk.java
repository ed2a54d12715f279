// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.SystemCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A disk that only the local directories of one node are on: a file system in a file.
 *
 * @param directory where it is mounted
 */
record NodeDisk(Path directory) implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** Enough for the jars and blocks of a few jobs. */
  private static final String SIZE = "1G";

  private static final int CHUNK_BYTES = 64 << 10;
  private static final long STALL_MILLIS = 2_000;
  private static final long FLOW_MILLIS = 200;

  /** Makes an empty one in a new file, and mounts it. */
  static NodeDisk mount(Path image, Path directory) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    command("truncate", "--size=" + SIZE, image.toString());
    // None of it is kept for root, who may be whom tasks run as.
    command("mkfs.ext4", "-q", "-m", "0", image.toString());
    command("mount", "-o", "loop", image.toString(), directory.toString());
    return new NodeDisk(directory);
  }

  /** Leaves no room on it. */
  void fill() throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    try (OutputStream file = Files.newOutputStream(filler())) {
      while (directory.toFile().getUsableSpace() > 0) {
        file.write(chunk);
      }
    } catch (IOException full) {
      if (directory.toFile().getUsableSpace() >= CHUNK_BYTES) {
        throw full;
      }
    }
  }

  /** Gives back the room, if it was taken. */
  void empty() throws IOException {
    Files.deleteIfExists(filler());
  }

  private Path filler() {
    return directory.resolve("filler");
  }

  /** Lets all writing wait, but for moments, for a time. */
  void stall(Duration time) throws IOException, InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      command("fsfreeze", "--freeze", directory.toString());
      try {
        TimeUnit.MILLISECONDS.sleep(STALL_MILLIS);
      } finally {
        command("fsfreeze", "--unfreeze", directory.toString());
      }
      TimeUnit.MILLISECONDS.sleep(FLOW_MILLIS);
    }
  }

  private static void command(String... words) throws IOException, InterruptedException {
    SystemCommand.run(Path.of("."), LIMIT, List.of(words));
  }

  /** Nobody may have a file open on it. */
  @Override
  public void close() throws IOException {
    try {
      command("umount", directory.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExperimentFailure("%s is still mounted: interrupted", directory);
    }
  }
}
