// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pmem;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A locked file whose space is there from the beginning. A new one is filled with zeros under
 * another name and renamed when it is complete: a mapped file with holes would end the process with
 * a bus error when a store finds the device full. A file system that compresses zeros defeats this.
 * Thread-safe.
 */
final class AllocatedFile implements Closeable {

  /** Bytes that are written at once. */
  private static final int ZEROS_BYTES = 4 << 20;

  private static final Set<OpenOption> EXISTING =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

  private static final Set<OpenOption> NEW =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);

  /**
   * Files that this process has open. The operating system's lock does not tell openers of one
   * process apart, and is lost when any of them closes the file.
   */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel channel;

  private AllocatedFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** A file of this size; made first if there is none. */
  static AllocatedFile open(Path path, long size) throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new IOException("cannot make " + path + ": there is no directory " + directory);
    }
    boolean exists = Files.exists(path);
    Path real = exists ? path.toRealPath() : directory.toRealPath().resolve(path.getFileName());
    if (!OPEN.add(real)) {
      throw new IOException(path + " is open already in this process");
    }
    try {
      return new AllocatedFile(real, exists ? existing(real, size) : create(real, size));
    } catch (IOException | RuntimeException | Error e) {
      OPEN.remove(real);
      throw e;
    }
  }

  FileChannel channel() {
    return channel;
  }

  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      channel.close();
      OPEN.remove(path);
    }
  }

  private static FileChannel existing(Path path, long size) throws IOException {
    FileChannel channel = locked(path, EXISTING);
    long found = channel.size();
    if (found != size) {
      channel.close();
      throw new IOException(
          path + " has " + found + " bytes, not " + size + "; give that size, or delete the file");
    }
    return channel;
  }

  private static FileChannel create(Path path, long size) throws IOException {
    Path unfinished = path.resolveSibling(path.getFileName() + ".unfinished");
    FileChannel channel = locked(unfinished, NEW);
    try {
      if (Files.exists(path)) {
        // Another process has finished it since; the unfinished file is a new one of ours.
        Files.delete(unfinished);
        channel.close();
        return existing(path, size);
      }
      fill(channel, path, size);
      Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
      persistName(path);
      return channel;
    } catch (IOException | RuntimeException | Error e) {
      try (channel) {
        Files.deleteIfExists(unfinished);
        throw e;
      }
    }
  }

  private static void fill(FileChannel channel, Path path, long size) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS_BYTES, size));
    long written = 0;
    try {
      channel.truncate(0);
      while (written < size) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), size - written));
        written += channel.write(zeros, written);
      }
      channel.force(true);
    } catch (IOException e) {
      throw new IOException(
          "cannot allocate "
              + size
              + " bytes for "
              + path
              + ", only "
              + written
              + ": "
              + e.getMessage()
              + "; choose a smaller size or another directory",
          e);
    }
  }

  /** Else a crash of the machine could leave the file without its name, and with it its bytes. */
  private static void persistName(Path path) throws IOException {
    if (isPosix(path)) {
      try (FileChannel directory =
          FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
        directory.force(true);
      }
    }
  }

  private static FileChannel locked(Path path, Set<OpenOption> options) throws IOException {
    FileChannel channel = FileChannel.open(path, options, ownerOnly(path));
    try {
      if (channel.tryLock() == null) {
        throw new IOException(path + " is in use by another process");
      }
      return channel;
    } catch (OverlappingFileLockException e) {
      try (channel) {
        throw new IOException(path + " is locked already in this process", e);
      }
    } catch (IOException e) {
      try (channel) {
        throw e;
      }
    }
  }

  private static FileAttribute<?>[] ownerOnly(Path path) {
    return isPosix(path)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
