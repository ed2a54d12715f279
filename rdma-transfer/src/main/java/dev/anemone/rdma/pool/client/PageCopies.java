// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of whole pages, in registered memory; the one that was not read the longest goes first,
 * and goes after some time in any case. The memory is there while there are copies. Pages of an
 * object never change, so a copy is right for ever; still, from the moment when this client has
 * seen that an object was deleted, no copy of it is given out. Thread-safe.
 */
final class PageCopies implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PageCopies.class);

  private final Transport transport;
  private final int pages;
  private final int pageBytes;
  private final long idleNanos;
  private final Map<Key, Copy> copies = new LinkedHashMap<>(16, 0.75f, true);

  /** Pages that a thread reads, for others to wait for. */
  private final Set<Key> loading = new HashSet<>();

  /** Null while there are no copies. */
  private Buffers buffers;

  /** Pages of the memory that are not free. */
  private int taken;

  private long removals;
  private boolean shortageSaid;
  private boolean closed;

  private record Key(ObjectId object, int page) {}

  /** A copy, or room for one. Its user closes it. */
  final class Copy implements AutoCloseable {
    private final Key key;
    private final Buffers memory;
    private final int position;
    private final long removalsBefore;
    private int users = 1;
    private long usedNanos = System.nanoTime();
    private boolean isLoaded;
    private boolean kept;

    private Copy(Key key, Buffers memory, int position, long removalsBefore) {
      this.key = key;
      this.memory = memory;
      this.position = position;
      this.removalsBefore = removalsBefore;
    }

    /** The memory it lies in. */
    MemoryRegion region() {
      return memory.region();
    }

    /** Where in that memory. */
    int position() {
      return position;
    }

    /** Its bytes from {@code from} on. */
    ByteBuffer view(int from, int length) {
      return memory.view(position, from, length);
    }

    /** Whether the page is in it. */
    boolean isLoaded() {
      synchronized (PageCopies.this) {
        return isLoaded;
      }
    }

    /** The page has been read into it, and is right. */
    void loaded() {
      synchronized (PageCopies.this) {
        isLoaded = true;
        kept = removalsBefore == removals;
        if (kept) {
          copies.put(key, this);
        }
        endLoad();
      }
    }

    private void endLoad() {
      loading.remove(key);
      PageCopies.this.notifyAll();
    }

    @Override
    public void close() {
      synchronized (PageCopies.this) {
        users--;
        usedNanos = System.nanoTime();
        if (!isLoaded) {
          endLoad();
        }
        giveBackIfUnused();
      }
    }

    private void giveBackIfUnused() {
      if (users == 0 && !kept) {
        memory.giveBack(position);
        taken--;
      }
    }
  }

  /**
   * Empty.
   *
   * @param options how many bytes, rounded down to whole pages, and one at least
   * @throws IOException when there is not so much memory
   */
  PageCopies(Transport transport, CacheOptions options, int pageBytes) throws IOException {
    this.transport = transport;
    this.pages = Math.toIntExact(Math.max(1, options.pageBytes() / pageBytes));
    this.pageBytes = pageBytes;
    this.idleNanos = options.idle().toNanos();
    // At once, so that what cannot be is said before anything is read.
    this.buffers = new Buffers(transport, pages, pageBytes);
  }

  /**
   * A copy of a page, or room for one, which the caller has to load. While another thread loads the
   * page it waits for it: tasks that begin at the same time read the same.
   *
   * @param deadline of the waiting
   * @return null when all copies are being read, there is no memory, or the deadline is over
   * @throws IOException when the thread is interrupted
   */
  synchronized Copy acquire(ObjectId object, int page, Duration deadline) throws IOException {
    Key key = new Key(object, page);
    if (!awaitLoad(key, System.nanoTime() + deadline.toNanos())) {
      return null;
    }
    Copy copy = copies.get(key);
    if (copy != null) {
      copy.users++;
      return copy;
    }
    Copy room = room(key);
    if (room != null) {
      loading.add(key);
    }
    return room;
  }

  private boolean awaitLoad(Key key, long endNanos) throws IOException {
    while (loading.contains(key)) {
      long millis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      if (millis <= 0) {
        return false;
      }
      try {
        wait(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while another thread read the same page");
      }
    }
    return true;
  }

  private Copy room(Key key) {
    if (closed || (buffers == null && !allocate())) {
      return null;
    }
    int position = buffers.tryTake();
    if (position >= 0) {
      taken++;
    }
    Iterator<Copy> oldest = copies.values().iterator();
    while (position < 0 && oldest.hasNext()) {
      Copy copy = oldest.next();
      if (copy.users == 0) {
        oldest.remove();
        position = copy.position;
      }
    }
    return position < 0 ? null : new Copy(key, buffers, position, removals);
  }

  private boolean allocate() {
    try {
      buffers = new Buffers(transport, pages, pageBytes);
      shortageSaid = false;
      return true;
    } catch (IOException e) {
      if (!shortageSaid) {
        shortageSaid = true;
        LOG.warn("no copies of the pool's pages are kept for now: {}", e.getMessage());
      }
      return false;
    }
  }

  /** Lets copies go that nobody has read for long, and the memory when nothing is in it. */
  synchronized void expire() {
    if (idleNanos == 0) {
      return;
    }
    long now = System.nanoTime();
    copies
        .values()
        .removeIf(copy -> copy.users == 0 && now - copy.usedNanos >= idleNanos && forget(copy));
    if (taken == 0 && buffers != null) {
      buffers.close();
      buffers = null;
    }
  }

  /** Bytes of registered memory that it has. */
  synchronized long memoryBytes() {
    return buffers == null ? 0 : (long) pages * pageBytes;
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
  public synchronized void close() {
    closed = true;
    if (buffers != null) {
      buffers.close();
      buffers = null;
    }
  }
}
