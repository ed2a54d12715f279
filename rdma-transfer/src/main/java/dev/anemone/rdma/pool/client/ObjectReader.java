// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.ObjectAttributes;
import dev.anemone.rdma.pool.ObjectDeletedException;
import dev.anemone.rdma.pool.protocol.PageRef;
import dev.anemone.rdma.pool.protocol.StoredObject;
import dev.anemone.rdma.transport.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Reads one committed object, at any position. Holds nothing but the bytes that came with its name,
 * if it was opened so, and is not closed; the client must be open. It stays with the object that
 * had the path when it was opened. Thread-safe.
 */
public final class ObjectReader {

  private static final int MAX_BUFFERS_OF_A_READ = 4;

  private final ClientParts parts;
  private final StoredObject object;
  private final ObjectAttributes attributes;
  private final ReadObserver observer;

  /** The last bytes of the object, or none. */
  private final ByteBuffer tail;

  ObjectReader(ClientParts parts, StoredObject object) {
    this(parts, object, ByteBuffer.allocate(0));
  }

  /** Of an object whose last bytes are known. */
  ObjectReader(ClientParts parts, StoredObject object, ByteBuffer tail) {
    this(parts, object, parts.attributes(object), ReadObserver.UNCOUNTED, tail);
  }

  private ObjectReader(
      ClientParts parts,
      StoredObject object,
      ObjectAttributes attributes,
      ReadObserver observer,
      ByteBuffer tail) {
    this.parts = parts;
    this.object = object;
    this.attributes = attributes;
    this.observer = observer;
    this.tail = tail;
  }

  /** A reader of the same object that tells what it reads, and how it uses copies of pages. */
  public ObjectReader counting(ReadObserver observer) {
    return new ObjectReader(parts, object, attributes, observer, tail);
  }

  /** What the pool knows of the object. */
  public ObjectAttributes attributes() {
    return attributes;
  }

  /** Bytes of the object. */
  public long length() {
    return object.length();
  }

  /**
   * Reads a range straight into registered memory; several pages at a time.
   *
   * @param position of the first byte in the object
   * @param into registered with the client's transport
   * @param offset where it goes
   * @throws IndexOutOfBoundsException when a range is not within the object or the memory
   * @throws dev.anemone.rdma.pool.ObjectLostException when a server that held a part is gone
   * @throws ObjectDeletedException when the object was deleted
   * @throws IOException when a page is damaged, or the client is closed; what the memory holds in
   *     the range after any of these is unknown
   */
  public void read(long position, MemoryRegion into, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(position, length, object.length());
    Objects.checkFromIndexSize(offset, length, into.memory().capacity());
    if (isInTail(position)) {
      into.memory().put(offset, tail, inTail(position), length);
      return;
    }
    List<PageReads.Piece> pieces = new ArrayList<>();
    int done = 0;
    while (done < length) {
      PageRef page = page(position + done);
      int from = from(position + done);
      int part = Math.min(page.length() - from, length - done);
      pieces.add(new PageReads.Piece(page, from, part, into, offset + done));
      done += part;
    }
    read(pieces);
  }

  /**
   * Reads up to the buffer's room, less only at the end of the object. Goes through the client's
   * own registered buffers, and its copies of pages if it keeps any.
   *
   * @param position of the first byte in the object
   * @return bytes read, or -1 at the end
   * @throws IOException as {@link #read(long, MemoryRegion, int, int)}; the buffer's position is
   *     then behind what is right
   */
  public int read(long position, ByteBuffer into) throws IOException {
    if (position < 0) {
      throw new IndexOutOfBoundsException("position " + position);
    }
    if (position >= object.length()) {
      return into.hasRemaining() ? -1 : 0;
    }
    int length = (int) Math.min(into.remaining(), object.length() - position);
    if (isInTail(position)) {
      into.put(tail.slice(inTail(position), length));
      return length;
    }
    int done = 0;
    while (done < length) {
      done +=
          parts.caches().pages().isPresent()
              ? readCached(parts.caches().pages().get(), position + done, into, length - done)
              : readBuffered(position + done, into, length - done);
    }
    return length;
  }

  private int readBuffered(long position, ByteBuffer into, int length) throws IOException {
    PageRef page = page(position);
    int from = from(position);
    return length < parts.pageBytes()
        ? readOne(page, from, into, Math.min(length, page.length() - from))
        : readSeveral(position, into, length);
  }

  /** Reads a part of a page; makes no objects, as reads of a few kilobytes are many. */
  private int readOne(PageRef page, int from, ByteBuffer into, int length) throws IOException {
    int buffer = parts.buffers().take(parts.deadline());
    try {
      parts.reads().read(object, page, from, length, parts.buffers().region(), buffer);
      observer.transferred(length);
      parts.buffers().drain(buffer, length, into);
      return length;
    } catch (ObjectDeletedException e) {
      parts.forget(Set.of(object.id()));
      throw e;
    } finally {
      parts.buffers().giveBack(buffer);
    }
  }

  /** Reads as much as fits into a few buffers. */
  private int readSeveral(long position, ByteBuffer into, int length) throws IOException {
    List<Integer> taken = new ArrayList<>(MAX_BUFFERS_OF_A_READ);
    List<PageReads.Piece> pieces = new ArrayList<>(MAX_BUFFERS_OF_A_READ);
    int done = 0;
    try {
      int buffer = parts.buffers().take(parts.deadline());
      while (buffer >= 0) {
        taken.add(buffer);
        PageRef page = page(position + done);
        int from = from(position + done);
        int part = Math.min(page.length() - from, length - done);
        pieces.add(new PageReads.Piece(page, from, part, parts.buffers().region(), buffer));
        done += part;
        boolean more = done < length && taken.size() < MAX_BUFFERS_OF_A_READ;
        buffer = more ? parts.buffers().tryTake() : -1;
      }
      read(pieces);
      pieces.forEach(piece -> into.put(piece.bytes()));
      return done;
    } finally {
      taken.forEach(parts.buffers()::giveBack);
    }
  }

  /** Reads what the range has in one page, from its copy. */
  private int readCached(PageCopies copies, long position, ByteBuffer into, int length)
      throws IOException {
    int index = (int) (position / parts.pageBytes());
    PageRef page = object.pages().get(index);
    int from = from(position);
    int part = Math.min(page.length() - from, length);
    try (PageCopies.Copy copy = copies.acquire(object.id(), index, parts.deadline())) {
      boolean there = copy != null && copy.isLoaded();
      observer.page(there, part);
      if (copy == null) {
        return readBuffered(position, into, part);
      }
      if (!there) {
        read(List.of(new PageReads.Piece(page, 0, page.length(), copy.region(), copy.position())));
        copy.loaded();
      }
      into.put(copy.view(from, part));
      return part;
    }
  }

  private void read(List<PageReads.Piece> pieces) throws IOException {
    try {
      parts.reads().read(object, pieces);
      for (PageReads.Piece piece : pieces) {
        observer.transferred(piece.length());
      }
    } catch (ObjectDeletedException e) {
      parts.forget(Set.of(object.id()));
      throw e;
    }
  }

  private boolean isInTail(long position) {
    return position >= object.length() - tail.remaining();
  }

  private int inTail(long position) {
    return (int) (position - object.length()) + tail.remaining();
  }

  private PageRef page(long position) {
    return object.pages().get((int) (position / parts.pageBytes()));
  }

  private int from(long position) {
    return (int) (position % parts.pageBytes());
  }
}
