// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Makes a jar of a directory of classes; the same files make the same bytes, whenever and where.
 */
final class DirectoryJar {

  /** Later than the first that a zip file can name, which would be written in a second format. */
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

  private DirectoryJar() {}

  /** Writes the jar to {@code jar}, which is replaced. Links are followed. */
  static void write(Path directory, Path jar) throws IOException {
    SortedMap<String, Path> members = members(directory);
    try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(jar));
        ZipOutputStream out = new ZipOutputStream(file)) {
      for (String name : members.keySet()) {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        out.putNextEntry(entry);
        if (!entry.isDirectory()) {
          Files.copy(members.get(name), out);
        }
        out.closeEntry();
      }
    }
  }

  /** Files and directories by the names that they get. */
  private static SortedMap<String, Path> members(Path directory) throws IOException {
    List<Path> found;
    try (Stream<Path> tree = Files.walk(directory, FileVisitOption.FOLLOW_LINKS)) {
      found = tree.filter(path -> !path.equals(directory)).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    SortedMap<String, Path> members = new TreeMap<>();
    for (Path path : found) {
      String name = directory.relativize(path).toString().replace('\\', '/');
      members.put(Files.isDirectory(path) ? name + "/" : name, path);
    }
    return members;
  }
}
