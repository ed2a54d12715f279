// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;

/** Directories that a cluster has for itself. */
final class Directories {
  private static final int MOST_ATTEMPTS = 20;

  private Directories() {}

  /**
   * Makes a directory, or takes an empty one.
   *
   * @throws IllegalArgumentException there is something in it, or it is no directory
   */
  static void claim(Path directory) throws IOException {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new IllegalArgumentException(directory + " is no directory; name one that is empty.");
    }
    Files.createDirectories(directory);
    try (Stream<Path> files = Files.list(directory)) {
      if (files.findAny().isPresent()) {
        throw new IllegalArgumentException(
            directory
                + " is not empty, and a cluster deletes its directory in the end;"
                + " name one that is empty or does not exist.");
      }
    }
  }

  /**
   * Deletes a directory with everything in it; links are deleted, not followed. Daemons that end
   * write their last words meanwhile, and delete files of their own.
   *
   * @throws IOException something is still there after several attempts
   */
  static void delete(Path directory) throws IOException {
    for (int attempt = 1; !FileUtil.fullyDelete(directory.toFile()); attempt++) {
      if (attempt == MOST_ATTEMPTS) {
        throw new IOException(directory + " cannot be deleted with all that is in it");
      }
    }
  }
}
