// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Copies of whole pages, in registered memory; the one that was not read the longest goes first.
 * Pages of an object never change, so a copy is right for ever; still, from the moment when this
 * client has seen that an object was deleted, no copy of it is given out. Thread-safe.
 */
final class PageCopies implements AutoCloseable {

  private final Buffers buffers;
  private final Map<Key, Copy> copies = new LinkedHashMap<>(16, 0.75f, true);
  private long removals;

  private record Key(ObjectId object, int page) {}

  /** A copy, or room for one. Its user closes it. */
  final class Copy implements AutoCloseable {
    private final Key key;
    private final int position;
    private final long removalsBefore;
    private int users = 1;
    private boolean kept;

    private Copy(Key key, int position, long removalsBefore) {
      this.key = key;
      this.position = position;
      this.removalsBefore = removalsBefore;
    }

    /** The memory it lies in. */
    MemoryRegion region() {
      return buffers.region();
    }

    /** Where in that memory. */
    int position() {
      return position;
    }

    /** Its bytes from {@code from} on. */
    ByteBuffer view(int from, int length) {
      return buffers.view(position, from, length);
    }

    /** The page has been read into it, and is right. */
    void loaded() {
      synchronized (PageCopies.this) {
        kept = removalsBefore == removals && copies.putIfAbsent(key, this) == null;
      }
    }

    @Override
    public void close() {
      synchronized (PageCopies.this) {
        users--;
        giveBackIfUnused();
      }
    }

    private void giveBackIfUnused() {
      if (users == 0 && !kept) {
        buffers.giveBack(position);
      }
    }
  }

  /** Empty; {@code maxBytes} are rounded down to whole pages, and are one at least. */
  PageCopies(Transport transport, long maxBytes, int pageBytes) throws IOException {
    int pages = Math.toIntExact(Math.max(1, Math.min(maxBytes, Integer.MAX_VALUE) / pageBytes));
    this.buffers = new Buffers(transport, pages, pageBytes);
  }

  /** A copy of a page, or null when there is none. */
  synchronized Copy find(ObjectId object, int page) {
    Copy copy = copies.get(new Key(object, page));
    if (copy != null) {
      copy.users++;
    }
    return copy;
  }

  /** Room for a page, or null when all copies are being read. */
  synchronized Copy room(ObjectId object, int page) {
    int position = buffers.tryTake();
    Iterator<Copy> oldest = copies.values().iterator();
    while (position < 0 && oldest.hasNext()) {
      Copy copy = oldest.next();
      if (copy.users == 0) {
        oldest.remove();
        position = copy.position;
      }
    }
    return position < 0 ? null : new Copy(new Key(object, page), position, removals);
  }

  /** These objects are deleted. */
  synchronized void remove(Set<ObjectId> objects) {
    removals++;
    copies.values().removeIf(copy -> objects.contains(copy.key.object()) && forget(copy));
  }

  /** Any object can be deleted. */
  synchronized void clear() {
    removals++;
    copies.values().removeIf(PageCopies::forget);
  }

  private static boolean forget(Copy copy) {
    copy.kept = false;
    copy.giveBackIfUnused();
    return true;
  }

  @Override
  public void close() {
    buffers.close();
  }
}
