// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult;
import org.apache.beam.sdk.io.fs.ResourceId;

/**
 * The files of a table. A location is a file, a pattern of files, or a directory, whose files all
 * belong to the table but those whose names begin with a dot or an underscore.
 *
 * @param location as it was given
 * @param files sorted by name, at least one
 */
public record TableFiles(String location, List<TableFile> files) {

  /**
   * A file.
   *
   * @param path with its scheme, but for files of this machine
   * @param bytes its size
   */
  public record TableFile(String path, long bytes) {}

  public TableFiles {
    files = List.copyOf(files);
  }

  /**
   * Finds the files at a location.
   *
   * @throws IllegalArgumentException when there are none, or they cannot be listed
   */
  public static TableFiles at(String location) {
    List<TableFile> files;
    try {
      files = matching(location);
      if (files.isEmpty()) {
        files = matching(location.endsWith("/") ? location + "*" : location + "/*");
        files.removeIf(TableFiles::isHidden);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the files at '"
              + location
              + "' cannot be listed: "
              + e.getMessage()
              + "; check the path, and for files of a Hadoop cluster that --hadoopConfDir or"
              + " HADOOP_CONF_DIR names its configuration",
          e);
    }
    if (files.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no file at '"
              + location
              + "'; give a file, a directory or a pattern, with its scheme (such as hdfs://)"
              + " where it is not on this machine");
    }
    return new TableFiles(location, files);
  }

  /** Bytes of all files. */
  public long bytes() {
    return files.stream().mapToLong(TableFile::bytes).sum();
  }

  private static List<TableFile> matching(String pattern) throws IOException {
    List<TableFile> files = new ArrayList<>();
    MatchResult result = FileSystems.match(List.of(pattern), EmptyMatchTreatment.ALLOW).get(0);
    for (MatchResult.Metadata found : result.metadata()) {
      if (!isDirectory(found)) {
        files.add(new TableFile(found.resourceId().toString(), found.sizeBytes()));
      }
    }
    files.sort(Comparator.comparing(TableFile::path));
    return files;
  }

  /** Beam's file systems take a directory without a slash at its end for a file. */
  private static boolean isDirectory(MatchResult.Metadata found) throws IOException {
    ResourceId id = found.resourceId();
    if (id.isDirectory()) {
      return true;
    }
    return id.getScheme().equals("file")
        ? Files.isDirectory(Path.of(id.toString()))
        : found.sizeBytes() == 0
            && !FileSystems.match(List.of(id + "/*"), EmptyMatchTreatment.ALLOW)
                .get(0)
                .metadata()
                .isEmpty();
  }

  private static boolean isHidden(TableFile file) {
    String name = file.path().substring(file.path().lastIndexOf('/') + 1);
    return name.startsWith(".") || name.startsWith("_");
  }
}
