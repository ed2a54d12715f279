// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.buffer;

import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Off-heap buffers of one size, cut from a few regions that are registered once, as in NetSpark:
 * registering is dear, and few long-lived registrations are what network cards do best with. They
 * are reference counted, and the pool knows which are out. Their memory is theirs until the last
 * reference is gone; it comes back uncleared.
 *
 * <p>With the system property {@value #ORIGINS} set to {@code true}, it is kept for each buffer
 * where it was acquired, and told when it is not released.
 *
 * <p>Thread-safe.
 */
public final class RegisteredBufferPool implements AutoCloseable {

  /** The system property that lets pools keep where buffers were acquired; dear. */
  public static final String ORIGINS = "anemone.buffers.origins";

  private static final Logger LOG = LoggerFactory.getLogger(RegisteredBufferPool.class);
  private static final int REGION_BYTES = 256 << 20;

  private final boolean keepsOrigins = Boolean.getBoolean(ORIGINS);
  private final int bufferBytes;
  private final int size;
  private final List<MemoryRegion> regions = new ArrayList<>();

  // Fair, so that who waits longest is served first.
  private final ReentrantLock lock = new ReentrantLock(true);
  private final Condition returned = lock.newCondition();
  private final Deque<Piece> free = new ArrayDeque<>();
  private final Set<Lease> leases = new LinkedHashSet<>();
  private int peak;
  private long lost;
  private boolean closed;

  private RegisteredBufferPool(int bufferBytes, int size) {
    this.bufferBytes = bufferBytes;
    this.size = size;
  }

  /**
   * A pool; it allocates and registers all of its memory now.
   *
   * @param transport with which the memory is registered; to be closed after the pool
   * @param bufferBytes of each buffer
   * @param buffers how many
   * @throws IOException when there is not so much memory, or it cannot be registered; nothing is
   *     left registered
   */
  public static RegisteredBufferPool create(Transport transport, int bufferBytes, int buffers)
      throws IOException {
    if (bufferBytes < 1 || bufferBytes > Transport.MAX_ALLOCATION_BYTES || buffers < 1) {
      throw new IllegalArgumentException(
          "a pool of " + buffers + " buffers of " + bufferBytes + " bytes");
    }
    RegisteredBufferPool pool = new RegisteredBufferPool(bufferBytes, buffers);
    try {
      int perRegion = Math.max(1, REGION_BYTES / bufferBytes);
      for (int left = buffers; left > 0; left -= perRegion) {
        pool.addRegion(transport, Math.min(left, perRegion));
      }
    } catch (IOException | RuntimeException e) {
      pool.regions.forEach(MemoryRegion::close);
      throw e;
    }
    return pool;
  }

  private void addRegion(Transport transport, int buffers) throws IOException {
    MemoryRegion region = transport.allocate(buffers * bufferBytes);
    regions.add(region);
    for (int i = 0; i < buffers; i++) {
      free.add(new Piece(region, i * bufferBytes, bufferBytes));
    }
  }

  /** Bytes of each buffer. */
  public int bufferBytes() {
    return bufferBytes;
  }

  /** Buffers of the pool, free or not. */
  public int size() {
    return size;
  }

  /**
   * A buffer, with one reference, which the caller releases.
   *
   * @param patience how long it waits for one
   * @throws IOException when none came back in that time
   * @throws IllegalStateException when the pool is closed, also while waiting
   */
  public RegisteredBuffer acquire(Duration patience) throws IOException, InterruptedException {
    long nanos = patience.toNanos();
    lock.lockInterruptibly();
    try {
      checkOpen();
      while (free.isEmpty()) {
        if (nanos <= 0) {
          throw new IOException(
              "no registered buffer became free within "
                  + patience.toMillis()
                  + " ms: all "
                  + size
                  + " of "
                  + bufferBytes
                  + " bytes are in use");
        }
        nanos = returned.awaitNanos(nanos);
        checkOpen();
      }
      return lease();
    } finally {
      lock.unlock();
    }
  }

  /**
   * A buffer, with one reference, if one is free now.
   *
   * @throws IllegalStateException when the pool is closed
   */
  public Optional<RegisteredBuffer> tryAcquire() {
    lock.lock();
    try {
      checkOpen();
      return free.isEmpty() ? Optional.empty() : Optional.of(lease());
    } finally {
      lock.unlock();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the pool of registered buffers is closed");
    }
  }

  private RegisteredBuffer lease() {
    Throwable origin = keepsOrigins ? new Throwable("acquired here") : null;
    // The last that came back: its memory is the likeliest to be in a cache.
    Lease lease = new Lease(this, free.pop(), origin);
    leases.add(lease);
    peak = Math.max(peak, leases.size());
    return new RegisteredBuffer(lease);
  }

  /** Takes a buffer back. */
  void giveBack(Lease lease) {
    lock.lock();
    try {
      leases.remove(lease);
      free.push(lease.piece());
      returned.signal();
      if (closed && leases.isEmpty()) {
        regions.forEach(MemoryRegion::close);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes a buffer back that became garbage. */
  void giveBackLost(Lease lease) {
    LOG.error(
        "a registered buffer of {} bytes was not released before it became garbage{}",
        bufferBytes,
        lease.origin() == null ? "; -D" + ORIGINS + "=true tells where it was acquired" : "",
        lease.origin());
    lock.lock();
    try {
      lost++;
    } finally {
      lock.unlock();
    }
    giveBack(lease);
  }

  /** Buffers that are out. */
  public int inUse() {
    lock.lock();
    try {
      return leases.size();
    } finally {
      lock.unlock();
    }
  }

  /** The most buffers that were out at a time. */
  public int peak() {
    lock.lock();
    try {
      return peak;
    } finally {
      lock.unlock();
    }
  }

  /** Buffers that became garbage instead of being released. */
  public long lost() {
    lock.lock();
    try {
      return lost;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the registrations. Does nothing the second time.
   *
   * @throws IllegalStateException when buffers are out: how many, and where they were acquired if
   *     that is known. Nothing can be acquired any longer then, and the registrations end when the
   *     last one comes back.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      returned.signalAll();
      if (leases.isEmpty()) {
        regions.forEach(MemoryRegion::close);
        return;
      }
      throw buffersAreOut();
    } finally {
      lock.unlock();
    }
  }

  private IllegalStateException buffersAreOut() {
    IllegalStateException failure =
        new IllegalStateException(
            leases.size()
                + " of "
                + size
                + " registered buffers are not released"
                + (keepsOrigins ? "" : "; -D" + ORIGINS + "=true tells where they were acquired"));
    leases.stream()
        .map(Lease::origin)
        .filter(origin -> origin != null)
        .forEach(failure::addSuppressed);
    return failure;
  }
}
