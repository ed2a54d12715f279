// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * An open file that is read and written at positions, each time in full. Its exceptions name the
 * file. Used by one thread; a thread that is interrupted loses the file, as with any {@link
 * FileChannel}.
 */
final class BlockFile implements Closeable {

  /**
   * The most that is read into or written from a heap buffer at once: the JDK copies such bytes
   * through a direct buffer of the same size, which it keeps for the thread.
   */
  private static final int HEAP_BYTES = 256 << 10;

  private static final Set<OpenOption> CREATE_OPTIONS =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, StandardOpenOption.SPARSE);

  private static final Set<PosixFilePermission> PERMISSIONS =
      PosixFilePermissions.fromString("rw-r-----");

  private final Path path;
  private final FileChannel channel;

  private BlockFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Makes a file that must not be there yet, to be written; holes in it take no space. As Tez's
   * files, its group may read it whatever the umask is, since the shuffle handler's user does.
   *
   * @throws IOException as the file system gives it, so that the caller can tell kinds apart
   */
  static BlockFile create(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, CREATE_OPTIONS);
    try {
      if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.setPosixFilePermissions(path, PERMISSIONS);
      }
      return new BlockFile(path, channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Opens a file to read it.
   *
   * @throws NoSuchFileException when there is none
   */
  static BlockFile open(Path path) throws IOException {
    try {
      return new BlockFile(path, FileChannel.open(path, StandardOpenOption.READ));
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      throw FileFailure.of("open " + path, path, e);
    }
  }

  Path path() {
    return path;
  }

  /** Size in bytes. */
  long size() throws IOException {
    try {
      return channel.size();
    } catch (IOException e) {
      throw FileFailure.of("get the size of " + path, path, e);
    }
  }

  /** Writes all that the buffer has. */
  void write(ByteBuffer bytes, long offset) throws IOException {
    long at = offset;
    int limit = bytes.limit();
    try {
      while (bytes.position() < limit) {
        bytes.limit(pieceEnd(bytes, limit));
        at += channel.write(bytes, at);
      }
    } catch (IOException e) {
      throw FileFailure.writing(path, limit - bytes.position(), at, e);
    } finally {
      bytes.limit(limit);
    }
  }

  /**
   * Fills the target up to its limit.
   *
   * @throws EOFException when the file ends before; the target then has what there was
   */
  void read(ByteBuffer target, long offset) throws IOException {
    long at = offset;
    int limit = target.limit();
    try {
      while (target.position() < limit) {
        target.limit(pieceEnd(target, limit));
        int n = channel.read(target, at);
        if (n < 0) {
          break;
        }
        at += n;
      }
    } catch (IOException e) {
      throw FileFailure.reading(path, limit - target.position(), at, e);
    } finally {
      target.limit(limit);
    }
    if (target.hasRemaining()) {
      throw new EOFException(
          path + " ends at byte " + size() + ", not at byte " + (at + target.remaining()));
    }
  }

  private static int pieceEnd(ByteBuffer buffer, int limit) {
    int position = buffer.position();
    return buffer.isDirect() ? limit : position + Math.min(HEAP_BYTES, limit - position);
  }

  /** Copies bytes of this file to another place in it. */
  void copy(long from, long to, long length) throws IOException {
    long copied = 0;
    try (FileChannel source = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.position(to);
      while (copied < length) {
        long n = source.transferTo(from + copied, length - copied, channel);
        if (n <= 0) {
          throw new EOFException("nothing to copy at byte " + (from + copied));
        }
        copied += n;
      }
    } catch (IOException e) {
      throw FileFailure.writing(path, length - copied, to + copied, e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
