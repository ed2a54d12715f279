// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.jobs;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The jobs of this user that run on this machine: a file each, below the system's temporary
 * directory, in a directory that only this user can see. Whoever wants a job to end puts a file
 * beside its entry, which the job's process finds. Thread-safe, and many processes share it.
 */
public final class JobRegistry {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String ENTRY = ".json";
  private static final String CANCEL = ".cancel";

  /** Between two looks at a directory, which go on until what is awaited is there. */
  private static final long POLL_MILLIS = 100;

  private final Path directory;

  JobRegistry(Path directory) {
    this.directory = directory;
  }

  /** The one of this user. */
  public static JobRegistry ofThisUser() {
    return new JobRegistry(
        Path.of(
            System.getProperty("java.io.tmpdir"),
            "anemone-jobs-" + System.getProperty("user.name")));
  }

  /**
   * The jobs that run, the oldest first. Entries of processes that have ended are deleted.
   *
   * @throws IOException when the directory cannot be read
   */
  public List<JobEntry> list() throws IOException {
    List<JobEntry> jobs = new ArrayList<>();
    if (!Files.isDirectory(directory)) {
      return jobs;
    }
    requireOwn();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + ENTRY)) {
      for (Path file : files) {
        Optional<JobEntry> job = read(file);
        if (job.isEmpty()) {
          continue;
        }
        if (job.get().isAlive()) {
          jobs.add(job.get());
        } else {
          remove(job.get().id());
        }
      }
    }
    jobs.sort(Comparator.comparingLong(JobEntry::startedAt).thenComparing(JobEntry::id));
    return jobs;
  }

  /** Empty when the job has ended meanwhile. */
  private static Optional<JobEntry> read(Path file) throws IOException {
    try {
      return Optional.of(MAPPER.readValue(Files.readAllBytes(file), JobEntry.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Has a job cancelled by its process, and waits for its end.
   *
   * @param atMost how long to wait
   * @return whether it has ended in that time
   * @throws IOException when its process cannot be told
   */
  public boolean cancel(JobEntry job, Duration atMost) throws IOException, InterruptedException {
    requireOwn();
    Files.writeString(directory.resolve(job.id() + CANCEL), "");
    long deadline = System.nanoTime() + atMost.toNanos();
    while (Files.exists(directory.resolve(job.id() + ENTRY)) && job.isAlive()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    remove(job.id());
    return true;
  }

  void enter(JobEntry job) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    requireOwn();
    Path unfinished = directory.resolve(job.id());
    Files.write(unfinished, MAPPER.writeValueAsBytes(job));
    Files.move(unfinished, directory.resolve(job.id() + ENTRY), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Somebody else could have made it, to see what runs here or to end it. */
  private void requireOwn() throws IOException {
    String owner = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).getName();
    if (!owner.equals(System.getProperty("user.name"))) {
      throw new IOException(
          directory + " belongs to " + owner + ". Delete it, so that jobs can be entered there.");
    }
  }

  boolean isToBeCancelled(String id) {
    return Files.exists(directory.resolve(id + CANCEL));
  }

  void remove(String id) throws IOException {
    Files.deleteIfExists(directory.resolve(id + ENTRY));
    Files.deleteIfExists(directory.resolve(id + CANCEL));
  }
}
