// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import dev.anemone.examples.files.Location;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.io.fs.ResourceId;

/**
 * The names of what is written to an output directory: {@code part-00000} and so on, and while it
 * is unfinished a name that begins with a dot. Immutable and thread-safe.
 *
 * @param directory the output directory, on any of Beam's file systems; ends in {@code /}
 */
record PartFiles(String directory) implements Serializable {
  private static final String PATTERN = "part-*";

  private static final String UNFINISHED_PATTERN = "." + PATTERN;
  private static final Pattern WILDCARD = Pattern.compile("[*?\\[\\]{}\\\\]");

  /**
   * The names in a directory.
   *
   * @param location the directory
   * @throws IllegalArgumentException if it is not a path, or would be taken for a pattern
   */
  static PartFiles in(Location location) {
    String directory = location.isLocal() ? location.path().toString() : location.text();
    if (WILDCARD.matcher(directory).find()) {
      throw new IllegalArgumentException(
          location.option()
              + "="
              + location.text()
              + " has a character that stands for others in a pattern. Give a directory without"
              + " any of * ? [ ] { } and backslash in its path.");
    }
    return new PartFiles(directory.endsWith("/") ? directory : directory + "/");
  }

  /**
   * The names in a directory that can be written to and holds no such files yet. A local directory
   * is created if it does not exist.
   *
   * @param location the directory
   * @throws IllegalArgumentException if it holds such files, finished or not, or cannot be written
   *     to, or is not a path
   * @throws IOException if the file system cannot be asked
   */
  static PartFiles inFreeDirectory(Location location) throws IOException {
    PartFiles parts = in(location);
    for (String pattern : List.of(PATTERN, UNFINISHED_PATTERN)) {
      List<Metadata> old = parts.match(pattern);
      if (!old.isEmpty()) {
        throw new IllegalArgumentException(
            location.option()
                + "="
                + location.text()
                + " holds a result already, or what is left of one: "
                + old.get(0).resourceId()
                + ". Delete it, or choose another directory.");
      }
    }
    if (location.isLocal()) {
      location.requireWritable(location.path());
    }
    return parts;
  }

  /** A pattern that matches the finished files. */
  String pattern() {
    return directory + PATTERN;
  }

  /** The name of a finished file. */
  ResourceId finished(int part) {
    return FileSystems.matchNewResource(directory + name(part), false);
  }

  /** A new name for a file that is being written; every call gives another. */
  ResourceId unfinished(int part) {
    return FileSystems.matchNewResource(
        directory + "." + name(part) + "-" + UUID.randomUUID(), false);
  }

  private static String name(int part) {
    return String.format(Locale.ROOT, "part-%05d", part);
  }

  /**
   * Deletes the unfinished files. Nobody may be writing any.
   *
   * @throws IOException if one cannot be deleted
   */
  void deleteUnfinished() throws IOException {
    delete(UNFINISHED_PATTERN);
  }

  /**
   * Deletes all files, finished or not, because they will never be complete. Nobody may be writing
   * any.
   *
   * @param reason why; if a file cannot be deleted, that is added to it as suppressed
   */
  void abandon(Throwable reason) {
    try {
      delete(PATTERN);
      delete(UNFINISHED_PATTERN);
    } catch (IOException notDeleted) {
      reason.addSuppressed(notDeleted);
    }
  }

  /**
   * Lists the finished files, in the order of their names.
   *
   * @throws IOException if the file system cannot be asked
   */
  List<String> finished() throws IOException {
    return match(PATTERN).stream().map(file -> file.resourceId().toString()).sorted().toList();
  }

  private void delete(String pattern) throws IOException {
    FileSystems.delete(match(pattern).stream().map(Metadata::resourceId).toList());
  }

  private List<Metadata> match(String pattern) throws IOException {
    return FileSystems.match(directory + pattern, EmptyMatchTreatment.ALLOW).metadata();
  }
}
