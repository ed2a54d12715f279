// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;

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
   * Deletes a directory with everything in it; links are deleted, not followed. Files may appear
   * meanwhile, since daemons that end write their last words.
   */
  static void delete(Path directory) throws IOException {
    for (int attempt = 1; Files.exists(directory); attempt++) {
      try {
        deleteOnce(directory);
      } catch (DirectoryNotEmptyException e) {
        if (attempt == MOST_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static void deleteOnce(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          /** Daemons that end also delete files of their own. */
          @Override
          public FileVisitResult visitFileFailed(Path file, IOException error) throws IOException {
            if (error instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw error;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException error)
              throws IOException {
            if (error != null && !(error instanceof NoSuchFileException)) {
              throw error;
            }
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
