// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.resource;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Deletes directories of this machine with all that is in them. Links are deleted, not followed;
 * what others delete meanwhile is no failure.
 */
public final class FileTrees {

  private FileTrees() {}

  /** Deletes a file, or a directory with all that is in it; does nothing when there is none. */
  public static void delete(Path root) throws IOException {
    Files.walkFileTree(root, new Deletion());
  }

  /** Deletes the directories in a directory, which need not exist, whose names begin so. */
  public static void deleteDirectoriesIn(Path parent, String prefix) throws IOException {
    if (!Files.isDirectory(parent)) {
      return;
    }
    try (DirectoryStream<Path> children =
        Files.newDirectoryStream(
            parent,
            child ->
                child.getFileName().toString().startsWith(prefix) && Files.isDirectory(child))) {
      for (Path child : children) {
        delete(child);
      }
    }
  }

  /** Deletes every file and directory below {@code root} whose name begins so. */
  public static void deleteNamed(Path root, String prefix) throws IOException {
    Files.walkFileTree(
        root,
        new ShrinkingTree() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            if (directory.getFileName().toString().startsWith(prefix)) {
              delete(directory);
              return FileVisitResult.SKIP_SUBTREE;
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (file.getFileName().toString().startsWith(prefix)) {
              Files.deleteIfExists(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Goes through a tree of which others delete something meanwhile. */
  private abstract static class ShrinkingTree extends SimpleFileVisitor<Path> {

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      return continueIfGone(failure);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
        throws IOException {
      return failure == null ? FileVisitResult.CONTINUE : continueIfGone(failure);
    }

    private static FileVisitResult continueIfGone(IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }
  }

  private static final class Deletion extends ShrinkingTree {

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
        throws IOException {
      super.postVisitDirectory(directory, failure);
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
