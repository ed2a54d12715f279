// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Files on a cluster's file system by their content: {@code <sha256>/<name>}. A file appears whole,
 * by renaming, and does not change. Thread-safe, and safe with other clients on the same directory.
 */
final class JarDirectory {

  private static final FsPermission OWNERS_DIRECTORY = new FsPermission((short) 0700);
  private static final FsPermission OWNERS_FILE = new FsPermission((short) 0600);
  private static final String UNFINISHED = ".uploading";
  private static final String LAST_SWEEP = ".swept";
  private static final Duration BETWEEN_SWEEPS = Duration.ofDays(1);

  /** What a job uses must stay for longer than the job takes to tell YARN of it. */
  private static final Duration LEAST_UNUSED = Duration.ofDays(2);

  /**
   * The time of every file, which YARN checks. What was deleted and is sent again is the same to
   * it, so that what machines have of it stays good. When a file was used last is the time of its
   * directory.
   */
  private static final long TIME_MILLIS = Duration.ofDays(365).toMillis();

  private static final int BUFFER_BYTES = 64 << 10;
  private static final int TRIES = 3;

  private final FileSystem fileSystem;
  private final Path root;
  private final short replication;

  /**
   * A file of the directory.
   *
   * @param status of the file
   * @param uploadedBytes that were sent for it; 0 when it was there
   */
  record Placed(FileStatus status, long uploadedBytes) {}

  JarDirectory(FileSystem fileSystem, Path root, short replication) {
    this.fileSystem = fileSystem;
    this.root = root;
    this.replication = replication;
  }

  /** Makes the directory if there is none. */
  void create() throws IOException {
    fileSystem.mkdirs(new Path(root, UNFINISHED), OWNERS_DIRECTORY);
  }

  /** Sends a file, unless it is there. */
  Placed put(Parcel parcel) throws IOException {
    Path target = new Path(new Path(root, parcel.key()), parcel.name());
    for (int i = 0; i < TRIES; i++) {
      FileStatus there = find(target, parcel.bytes());
      if (there != null) {
        return new Placed(there, 0);
      }
      FileStatus sent = send(parcel, target);
      if (sent != null) {
        return new Placed(sent, parcel.bytes());
      }
    }
    throw new IOException(
        parcel.name()
            + " was sent "
            + TRIES
            + " times, but is not at "
            + target
            + "; something else deletes it there");
  }

  /** Null when it is not there; whatever else is in its place makes way for it. */
  private FileStatus find(Path target, long bytes) throws IOException {
    try {
      FileStatus found = fileSystem.getFileStatus(target);
      if (found.getLen() == bytes) {
        fileSystem.setTimes(target.getParent(), System.currentTimeMillis(), -1);
        return found;
      }
    } catch (FileNotFoundException e) {
      return null;
    }
    fileSystem.delete(target, true);
    return null;
  }

  /** Null when it could not take its place, as another client was faster or deletes it. */
  private FileStatus send(Parcel parcel, Path target) throws IOException {
    Path unfinished = new Path(new Path(root, UNFINISHED), UUID.randomUUID().toString());
    try {
      write(parcel, unfinished);
      fileSystem.mkdirs(target.getParent(), OWNERS_DIRECTORY);
      if (fileSystem.rename(unfinished, target)) {
        return fileSystem.getFileStatus(target);
      }
    } catch (IOException e) {
      discard(unfinished, e);
      throw e;
    }
    fileSystem.delete(unfinished, false);
    return null;
  }

  private void write(Parcel parcel, Path file) throws IOException {
    long blockBytes = fileSystem.getDefaultBlockSize(file);
    try (FSDataOutputStream out =
        fileSystem.create(file, OWNERS_FILE, false, BUFFER_BYTES, replication, blockBytes, null)) {
      parcel.writeTo(out);
    }
    fileSystem.setTimes(file, TIME_MILLIS, -1);
  }

  private void discard(Path unfinished, IOException reason) {
    try {
      fileSystem.delete(unfinished, false);
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  /**
   * Deletes files that nobody has used for so long, and what is left of uploads that were given up.
   * Does nothing within a day of the last time.
   *
   * @return how many contents were deleted
   */
  int deleteUnused(Duration olderThan) throws IOException {
    long now = System.currentTimeMillis();
    if (!beginSweep(now)) {
      return 0;
    }
    long unusedSince = now - Math.max(olderThan.toMillis(), LEAST_UNUSED.toMillis());
    int deleted = 0;
    for (FileStatus content : fileSystem.listStatus(root)) {
      if (!content.getPath().getName().startsWith(".")
          && content.getModificationTime() <= unusedSince
          && fileSystem.delete(content.getPath(), true)) {
        deleted++;
      }
    }
    for (FileStatus upload : fileSystem.listStatus(new Path(root, UNFINISHED))) {
      if (upload.getModificationTime() <= now - BETWEEN_SWEEPS.toMillis()) {
        fileSystem.delete(upload.getPath(), false);
      }
    }
    return deleted;
  }

  /** Whether it is time; if so, it is noted, as the time of a directory. */
  private boolean beginSweep(long now) throws IOException {
    create();
    Path lastSweep = new Path(root, LAST_SWEEP);
    if (fileSystem.exists(lastSweep)
        && fileSystem.getFileStatus(lastSweep).getModificationTime()
            > now - BETWEEN_SWEEPS.toMillis()) {
      return false;
    }
    fileSystem.mkdirs(lastSweep, OWNERS_DIRECTORY);
    fileSystem.setTimes(lastSweep, now, -1);
    return true;
  }
}
