// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import dev.anemone.examples.files.InputFiles;
import dev.anemone.examples.files.Location;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.List;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.io.fs.ResourceId;

/**
 * Existing files of records, in the order of their names. Immutable and thread-safe.
 *
 * @param pattern matches these files
 * @param files the files
 */
record RecordFiles(String pattern, List<RecordFile> files) {

  /**
   * One file.
   *
   * @param resource where it is
   * @param records number of its records
   */
  record RecordFile(ResourceId resource, long records) implements Serializable {}

  RecordFiles {
    files = List.copyOf(files);
  }

  /**
   * Finds files. The file systems of Beam must know their options already.
   *
   * @param location a directory with files {@code part-...}, a file, or a pattern
   * @throws IllegalArgumentException if there is no such file, if the length of one is not a
   *     multiple of a record's, or if all are empty
   * @throws IOException if the file system cannot be asked
   */
  static RecordFiles find(Location location) throws IOException {
    String pattern = location.text();
    if (pattern.endsWith("/") || isDirectory(location)) {
      pattern = PartFiles.in(location).pattern();
    }
    InputFiles.require(location.option(), pattern);
    List<RecordFile> files =
        FileSystems.match(pattern).metadata().stream()
            .sorted(Comparator.comparing(file -> file.resourceId().toString()))
            .map(file -> recordFile(location, file))
            .toList();
    RecordFiles found = new RecordFiles(pattern, files);
    if (found.records() == 0) {
      throw new IllegalArgumentException(
          location.option()
              + "="
              + location.text()
              + ": the files there are empty. Give files that hold records.");
    }
    return found;
  }

  /** Other file systems do not say what is a directory; there, it is one if files are below it. */
  private static boolean isDirectory(Location location) throws IOException {
    return location.isLocal()
        ? Files.isDirectory(location.path())
        : !FileSystems.match(location.text() + "/part-*", EmptyMatchTreatment.ALLOW)
            .metadata()
            .isEmpty();
  }

  private static RecordFile recordFile(Location location, Metadata file) {
    if (file.sizeBytes() % TeraRecord.BYTES != 0) {
      throw new IllegalArgumentException(
          location.option()
              + "="
              + location.text()
              + ": "
              + file.resourceId()
              + " has "
              + file.sizeBytes()
              + " bytes, and the length of a file of records is a multiple of "
              + TeraRecord.BYTES
              + ". Give files that gensort or anemone teragen has made.");
    }
    return new RecordFile(file.resourceId(), file.sizeBytes() / TeraRecord.BYTES);
  }

  /** Number of records in all files. */
  long records() {
    return files.stream().mapToLong(RecordFile::records).sum();
  }
}
