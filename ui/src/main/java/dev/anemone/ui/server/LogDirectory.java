// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.server;

import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.model.JobSummary;
import dev.anemone.ui.model.LoggedJob;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult;

/**
 * The jobs whose event logs lie in a directory, of this machine or of another file system of Beam.
 * A log is read again when it has changed. Thread-safe.
 */
public final class LogDirectory implements Jobs {

  /** Jobs that are kept in memory; of the others only what the list shows. */
  private static final int KEPT = 8;

  /** What is no path of this machine; one letter may be a drive. */
  private static final Pattern ADDRESS = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]+:");

  private static final String SUFFIX = ".jsonl";

  /** Behind the suffix of a log whose job has not ended. */
  private static final String UNFINISHED = ".inprogress";

  /** A file system may not say that such a log has grown; so long it is thought not to have. */
  private static final long FRESH_MILLIS = 2_000;

  private final String directory;
  private final Map<String, Listed> listed = new HashMap<>();
  private final Map<String, Kept> kept =
      new LinkedHashMap<>(KEPT, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Kept> eldest) {
          return size() > KEPT;
        }
      };
  private List<String> remarks = List.of();

  private record Version(long size, long age) {

    static Version of(MatchResult.Metadata file) {
      return new Version(
          file.sizeBytes(),
          file.resourceId().getFilename().endsWith(UNFINISHED)
              ? System.currentTimeMillis() / FRESH_MILLIS
              : file.lastModifiedMillis());
    }
  }

  private record Listed(Version version, JobSummary summary) {}

  private record Kept(Version version, JobModel job) {}

  /**
   * A directory of logs.
   *
   * @param directory a path, or an address that one of Beam's file systems knows, whose options
   *     have been set
   * @throws UiException when it cannot be looked into
   */
  public LogDirectory(String directory) {
    this.directory = directory.endsWith("/") ? directory : directory + "/";
    try {
      files();
    } catch (IOException | IllegalArgumentException e) {
      throw new UiException(
          "--logs="
              + directory
              + " cannot be read: "
              + e.getMessage()
              + ". Give the directory that jobs had as --eventLog, on this machine or hdfs://.",
          e);
    }
  }

  @Override
  public synchronized List<JobSummary> list() throws IOException {
    List<JobSummary> all = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    List<MatchResult.Metadata> files = List.of();
    try {
      files = files();
    } catch (IOException e) {
      wrong.add(directory + " cannot be read any more: " + e.getMessage());
    }
    for (MatchResult.Metadata file : files) {
      String id = id(file);
      Version version = Version.of(file);
      Listed known = listed.get(id);
      if (known == null || !known.version().equals(version)) {
        try {
          known = new Listed(version, read(id, file).summary());
        } catch (IOException e) {
          wrong.add(file.resourceId() + " cannot be read: " + e.getMessage());
          continue;
        }
        listed.put(id, known);
      }
      all.add(known.summary());
    }
    remarks = List.copyOf(wrong);
    all.sort(Comparator.comparingLong(JobSummary::startedAt).reversed());
    return List.copyOf(all);
  }

  @Override
  public synchronized Optional<JobModel> job(String id) throws IOException {
    for (MatchResult.Metadata file : files()) {
      if (id(file).equals(id)) {
        Kept known = kept.get(id);
        return Optional.of(
            known != null && known.version().equals(Version.of(file))
                ? known.job()
                : read(id, file));
      }
    }
    return Optional.empty();
  }

  @Override
  public synchronized List<String> remarks() {
    return remarks;
  }

  private JobModel read(String id, MatchResult.Metadata file) throws IOException {
    JobModel job = LoggedJob.read(id, Channels.newInputStream(FileSystems.open(file.resourceId())));
    kept.put(id, new Kept(Version.of(file), job));
    return job;
  }

  private List<MatchResult.Metadata> files() throws IOException {
    if (!ADDRESS.matcher(directory).lookingAt() && !Files.isDirectory(Path.of(directory))) {
      throw new FileNotFoundException("there is no such directory on this machine");
    }
    List<MatchResult.Metadata> files = new ArrayList<>();
    for (String suffix : List.of(SUFFIX, SUFFIX + UNFINISHED)) {
      files.addAll(
          FileSystems.match(directory + "*" + suffix, EmptyMatchTreatment.ALLOW).metadata());
    }
    return files;
  }

  private static String id(MatchResult.Metadata file) {
    String name = file.resourceId().getFilename();
    return name.substring(0, name.lastIndexOf(SUFFIX));
  }
}
