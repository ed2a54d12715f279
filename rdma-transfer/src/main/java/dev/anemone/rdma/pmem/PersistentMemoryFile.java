// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pmem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import jdk.nio.mapmode.ExtendedMapMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of fixed size as {@link PersistentMemory}. All of it has disk space from the beginning, so
 * that no store can fail for want of space. While it is open, its file is locked against other
 * processes and other openers in this one.
 *
 * <p>On a DAX file system the file is mapped with {@code MAP_SYNC} (JEP 352): its bytes are those
 * of the device, and to persist is to flush cache lines, in microseconds. Elsewhere the mapping is
 * an ordinary one, and to persist is {@code msync}: the page cache writes whole pages to the disk
 * and waits for it. Both survive a crash of the process in any case.
 *
 * <p>Java 17 has no safe way to unmap a file: the mapping lasts until the garbage collector finds
 * that no slice is reachable any more. Slices that outlive {@link #close} are harmless, therefore,
 * but for what {@link #slice} says of them.
 */
public final class PersistentMemoryFile implements PersistentMemory {

  /** How a file is mapped. */
  public enum Mapping {
    /** Straight onto the device of a DAX file system; cache lines are flushed. */
    SYNC,
    /** Through the page cache; pages are written. */
    PAGE_CACHE
  }

  private static final Logger LOG = LoggerFactory.getLogger(PersistentMemoryFile.class);

  private static final VarHandle WORDS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Path path;
  private final long bytes;
  private final AllocatedFile file;
  private final Mapping mapping;

  /** Held by those who write or persist, so that none does when the file belongs to others. */
  private final ReadWriteLock open = new ReentrantReadWriteLock();

  private volatile List<MappedByteBuffer> pieces;

  private PersistentMemoryFile(
      Path path, long bytes, AllocatedFile file, Mapping mapping, List<MappedByteBuffer> pieces) {
    this.path = path;
    this.bytes = bytes;
    this.file = file;
    this.mapping = mapping;
    this.pieces = pieces;
  }

  /**
   * Opens a file, and makes it first when it is not there: with zeros, which takes as long as
   * writing its size to the device does. A file appears under its path only when it is complete.
   *
   * @param size of the file in bytes
   * @throws IllegalArgumentException when the size is not positive
   * @throws IOException when the directory is missing or has too little space, when the file has
   *     another size, when it is open already, here or in another process, or cannot be mapped
   */
  public static PersistentMemoryFile open(Path path, long size) throws IOException {
    if (size <= 0) {
      throw new IllegalArgumentException("a file of " + size + " bytes: " + path);
    }
    AllocatedFile file = AllocatedFile.open(path, size);
    try {
      return map(path, size, file);
    } catch (IOException | RuntimeException | Error e) {
      try (file) {
        throw e;
      }
    }
  }

  private static PersistentMemoryFile map(Path path, long size, AllocatedFile file)
      throws IOException {
    String refusal;
    try {
      List<MappedByteBuffer> pieces =
          mapPieces(file.channel(), ExtendedMapMode.READ_WRITE_SYNC, size);
      LOG.info("{} is on DAX: mapped with MAP_SYNC, cache lines are flushed", path);
      return new PersistentMemoryFile(path, size, file, Mapping.SYNC, pieces);
    } catch (IOException | UnsupportedOperationException e) {
      refusal = e.getMessage();
    }
    try {
      List<MappedByteBuffer> pieces =
          mapPieces(file.channel(), FileChannel.MapMode.READ_WRITE, size);
      LOG.info(
          "{} cannot be mapped with MAP_SYNC ({}): it is mapped through the page cache, and flushes"
              + " write whole pages; put it on a file system that is mounted with -o dax to avoid"
              + " that",
          path,
          refusal);
      return new PersistentMemoryFile(path, size, file, Mapping.PAGE_CACHE, pieces);
    } catch (IOException e) {
      throw new IOException(
          "cannot map the " + size + " bytes of " + path + ": " + e.getMessage(), e);
    }
  }

  private static List<MappedByteBuffer> mapPieces(
      FileChannel channel, FileChannel.MapMode mode, long size) throws IOException {
    int count = Math.toIntExact((size + PIECE_BYTES - 1) / PIECE_BYTES);
    MappedByteBuffer[] pieces = new MappedByteBuffer[count];
    for (int i = 0; i < count; i++) {
      long start = i * PIECE_BYTES;
      pieces[i] = channel.map(mode, start, Math.min(PIECE_BYTES, size - start));
    }
    return List.of(pieces);
  }

  /** The file. */
  public Path path() {
    return path;
  }

  /** How it is mapped, which says what it costs to persist. */
  public Mapping mapping() {
    return mapping;
  }

  @Override
  public long size() {
    return bytes;
  }

  @Override
  public ByteBuffer slice(long offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes);
    int within = (int) (offset % PIECE_BYTES);
    if (within + (long) length > PIECE_BYTES) {
      throw new IndexOutOfBoundsException(
          length
              + " bytes at byte "
              + offset
              + " of "
              + path
              + " cross a multiple of "
              + PIECE_BYTES);
    }
    List<MappedByteBuffer> mapped = pieces;
    if (mapped.isEmpty()) {
      throw new IllegalStateException(path + " is closed");
    }
    if (length == 0) {
      return ByteBuffer.allocateDirect(0);
    }
    return mapped.get((int) (offset / PIECE_BYTES)).slice(within, length);
  }

  @Override
  public void persist(long offset, long length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes);
    open.readLock().lock();
    try {
      List<MappedByteBuffer> mapped = requireOpen();
      long at = offset;
      long end = offset + length;
      while (at < end) {
        int within = (int) (at % PIECE_BYTES);
        int n = (int) Math.min(end - at, PIECE_BYTES - within);
        force(mapped.get((int) (at / PIECE_BYTES)), within, n);
        at += n;
      }
    } finally {
      open.readLock().unlock();
    }
  }

  @Override
  public void commit(long offset, long word) throws IOException {
    checkWord(offset);
    open.readLock().lock();
    try {
      MappedByteBuffer piece = requireOpen().get((int) (offset / PIECE_BYTES));
      int within = (int) (offset % PIECE_BYTES);
      WORDS.setVolatile(piece, within, word);
      force(piece, within, Long.BYTES);
    } finally {
      open.readLock().unlock();
    }
  }

  @Override
  public long word(long offset) {
    checkWord(offset);
    List<MappedByteBuffer> mapped = pieces;
    if (mapped.isEmpty()) {
      throw new IllegalStateException(path + " is closed");
    }
    return (long)
        WORDS.getVolatile(mapped.get((int) (offset / PIECE_BYTES)), (int) (offset % PIECE_BYTES));
  }

  private void checkWord(long offset) {
    Objects.checkFromIndexSize(offset, Long.BYTES, bytes);
    if (offset % Long.BYTES != 0) {
      throw new IndexOutOfBoundsException("a word at byte " + offset + ", no multiple of 8");
    }
  }

  private void force(MappedByteBuffer piece, int offset, int length) throws IOException {
    try {
      piece.force(offset, length);
    } catch (UncheckedIOException e) {
      throw new IOException(
          "cannot persist " + length + " bytes of " + path + ": " + e.getCause().getMessage(), e);
    }
  }

  private List<MappedByteBuffer> requireOpen() throws ClosedChannelException {
    List<MappedByteBuffer> mapped = pieces;
    if (mapped.isEmpty()) {
      throw new ClosedChannelException();
    }
    return mapped;
  }

  @Override
  public void close() throws IOException {
    open.writeLock().lock();
    try {
      pieces = List.of();
    } finally {
      open.writeLock().unlock();
    }
    file.close();
  }
}
