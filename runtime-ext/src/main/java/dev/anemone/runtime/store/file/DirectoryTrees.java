// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Deletes directories with all that is in them; what others delete meanwhile is no failure. */
final class DirectoryTrees {

  private DirectoryTrees() {}

  /** Deletes the directories in a directory whose names begin so. */
  static void deleteBelow(Path parent, String namePrefix) throws IOException {
    if (!Files.isDirectory(parent)) {
      return;
    }
    try (DirectoryStream<Path> children =
        Files.newDirectoryStream(
            parent,
            child ->
                child.getFileName().toString().startsWith(namePrefix)
                    && Files.isDirectory(child))) {
      for (Path child : children) {
        Files.walkFileTree(child, new Deletion());
      }
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
