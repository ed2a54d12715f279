// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server.tier;

import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.protocol.RegionInfo;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The pages of a tier of files, which the server reads and writes for its clients by buffers: a
 * registered mapping would pin all of it in memory. Thread-safe; its users must not be interrupted,
 * which would close the file.
 */
final class FilePages implements ServedPages, AutoCloseable {

  private final int first;
  private final int count;
  private final int pageBytes;
  private final FileChannel file;

  private FilePages(int first, int count, int pageBytes, FileChannel file) {
    this.first = first;
    this.count = count;
    this.pageBytes = pageBytes;
    this.file = file;
  }

  /**
   * Pages in a file of their own.
   *
   * @param first number of the first page
   * @throws IOException when there is no such directory, or no room in it
   */
  static FilePages create(Path directory, int first, int count, int pageBytes) throws IOException {
    FileChannel file = TierFile.create(directory, TierKind.FILE, (long) count * pageBytes);
    return new FilePages(first, count, pageBytes, file);
  }

  /** What clients are told of it: there is no key. */
  RegionInfo info() {
    return RegionInfo.served(TierKind.FILE, first, count, (long) count * pageBytes);
  }

  @Override
  public boolean has(int page) {
    return page >= first && page - first < count;
  }

  @Override
  public ByteBuffer read(int page, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, pageBytes);
    ByteBuffer bytes = ByteBuffer.allocate(length);
    long position = position(page) + from;
    while (bytes.hasRemaining()) {
      if (file.read(bytes, position + bytes.position()) < 0) {
        throw new EOFException("page " + page + " is not in the tier's file");
      }
    }
    return bytes.flip();
  }

  @Override
  public void write(int page, int at, ByteBuffer bytes) throws IOException {
    Objects.checkFromIndexSize(at, bytes.remaining(), pageBytes);
    long position = position(page) + at;
    while (bytes.hasRemaining()) {
      position += file.write(bytes, position);
    }
  }

  private long position(int page) {
    return (long) (page - first) * pageBytes;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
