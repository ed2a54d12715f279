// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server.kept;

import dev.anemone.rdma.pool.protocol.RecordCodec;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A file of changes, each with its length and a CRC32C, which are durable when they have been
 * added. What a crash has left of the last one is no change. Not thread-safe.
 */
final class KeptLog implements Closeable {

  private static final byte[] MAGIC = {'a', 'n', 'e', 'm', 'k', 'e', 'p', 1};
  private static final int HEADER_BYTES = MAGIC.length + Integer.BYTES;
  private static final int FRAME_BYTES = 2 * Integer.BYTES;
  private static final int LARGEST_CHANGE = 64 << 20;

  private final Path file;
  private final int pageBytes;
  private FileChannel channel;
  private long end;

  /** Whether something may stand behind the end that could not be taken away. */
  private boolean broken;

  private KeptLog(Path file, int pageBytes) {
    this.file = file;
    this.pageBytes = pageBytes;
  }

  /**
   * The log in a file; empty when there is none.
   *
   * @param pageBytes size of the pages that it is about
   */
  static KeptLog of(Path file, int pageBytes) {
    return new KeptLog(file, pageBytes);
  }

  /**
   * The changes of the file, in order; none when there is no file.
   *
   * @throws IOException when it is no such log, or about pages of another size
   */
  List<KeptChange> read() throws IOException {
    List<KeptChange> changes = new ArrayList<>();
    if (!Files.exists(file)) {
      return changes;
    }
    ByteBuffer bytes;
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      bytes = in.map(FileChannel.MapMode.READ_ONLY, 0, in.size());
    }
    byte[] magic = new byte[MAGIC.length];
    if (bytes.remaining() >= HEADER_BYTES) {
      bytes.get(magic);
    }
    if (!Arrays.equals(magic, MAGIC)) {
      throw new IOException(file + " is no list of kept objects; delete it, or give another place");
    }
    int size = bytes.getInt();
    if (size != pageBytes) {
      throw new IOException(
          file
              + " is about pages of "
              + size
              + " bytes, not of "
              + pageBytes
              + "; give --page="
              + size
              + ", or delete it");
    }
    while (bytes.remaining() >= FRAME_BYTES) {
      int length = bytes.getInt();
      int checksum = bytes.getInt();
      if (length < 0 || length > bytes.remaining()) {
        break;
      }
      ByteBuffer change = bytes.slice().limit(length);
      bytes.position(bytes.position() + length);
      if (checksum(change.duplicate()) != checksum) {
        break;
      }
      changes.add(RecordCodec.decode(KeptChange.class, change));
    }
    return changes;
  }

  /** Takes the place of the file, with these changes alone, and opens it. */
  void rewrite(Collection<? extends KeptChange> changes) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    FileChannel fresh =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    try {
      write(fresh, ByteBuffer.allocate(HEADER_BYTES).put(MAGIC).putInt(pageBytes).flip());
      for (KeptChange change : changes) {
        write(fresh, frame(change));
      }
      fresh.force(true);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
      // What is open has no name from now on.
      broken = true;
      try (FileChannel directory =
          FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
        directory.force(true);
      }
    } catch (IOException | RuntimeException e) {
      fresh.close();
      throw e;
    }
    close();
    channel = fresh;
    end = fresh.position();
    broken = false;
  }

  /**
   * Adds a change, durably.
   *
   * @throws IOException when the disk has no room or fails; nothing is added then
   */
  void add(KeptChange change) throws IOException {
    if (broken) {
      throw new IOException(file + " could not be written before, and is not written any more");
    }
    try {
      write(channel, frame(change));
      channel.force(false);
      end = channel.position();
    } catch (IOException e) {
      takeBack(e);
      throw new IOException(
          "What is kept could not be written to " + file + ": " + e.getMessage(), e);
    }
  }

  private void takeBack(IOException failure) {
    try {
      channel.truncate(end);
      channel.force(true);
    } catch (IOException e) {
      broken = true;
      failure.addSuppressed(e);
    }
  }

  /** Bytes of the file. */
  long bytes() {
    return end;
  }

  private static ByteBuffer frame(KeptChange change) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    RecordCodec.encode(KeptChange.class, change, new DataOutputStream(bytes));
    if (bytes.size() > LARGEST_CHANGE) {
      throw new IOException("an object with so many pages cannot be kept");
    }
    ByteBuffer content = ByteBuffer.wrap(bytes.toByteArray());
    return ByteBuffer.allocate(FRAME_BYTES + bytes.size())
        .putInt(bytes.size())
        .putInt(checksum(content.duplicate()))
        .put(content)
        .flip();
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return (int) checksum.getValue();
  }

  private static void write(FileChannel to, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
