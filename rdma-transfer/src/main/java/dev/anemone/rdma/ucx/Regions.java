// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.RemoteRegion;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpMemory;

/** What a transport has registered, by its capabilities. Thread-safe. */
final class Regions {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Cleaner CLEANER = Cleaner.create();

  private static final int CLEARED_BYTES = 64 << 10;

  private final SharedContext context;
  private final ProgressLoop loop;
  private final Map<RemoteRegion, UcxRegion> regions = new ConcurrentHashMap<>();
  private int registered;
  private boolean closed;

  Regions(SharedContext context, ProgressLoop loop) {
    this.context = context;
    this.loop = loop;
  }

  /** Registers the user's memory; its mapping ends with the region. */
  UcxRegion register(ByteBuffer memory) throws IOException {
    if (!memory.isDirect()) {
      throw new IllegalArgumentException("only direct buffers can be registered, not " + memory);
    }
    ByteBuffer all = memory.duplicate().clear();
    UcpMemory ucx = map(all.capacity(), () -> context.register(all));
    return add(
        all,
        ucx,
        () -> {
          context.unmap(ucx);
          released();
        });
  }

  /**
   * Registers memory that UCX allocates: peers on this machine map it (System V or POSIX shared
   * memory, where UCX has them) and copy to and from it by themselves. UCX can end its registration
   * only together with the memory, so it is the garbage collector that ends both.
   */
  UcxRegion allocate(int bytes) throws IOException {
    if (bytes < 1 || bytes > Transport.MAX_ALLOCATION_BYTES) {
      throw new IllegalArgumentException("an allocation of " + bytes + " bytes");
    }
    UcpMemory ucx = map(bytes, () -> context.allocate(bytes));
    // All views of it refer to this one.
    ByteBuffer memory = UcxUtils.getByteBufferView(ucx.getAddress(), bytes);
    SharedContext mapping = context;
    CLEANER.register(memory, () -> mapping.unmap(ucx));
    clear(memory);
    return add(memory, ucx, this::released);
  }

  /** UCX may have taken it from a heap. */
  private static void clear(ByteBuffer memory) {
    ByteBuffer left = memory.duplicate();
    byte[] zeros = new byte[Math.min(memory.capacity(), CLEARED_BYTES)];
    while (left.hasRemaining()) {
      left.put(zeros, 0, Math.min(zeros.length, left.remaining()));
    }
  }

  private UcpMemory map(int bytes, Supplier<UcpMemory> mapping) throws IOException {
    synchronized (this) {
      if (closed) {
        throw new IOException("the ucx transport is closed");
      }
      registered++;
    }
    try {
      return mapping.get();
    } catch (UcxException e) {
      released();
      throw new IOException(
          "UCX cannot register "
              + bytes
              + " bytes: "
              + e.getMessage()
              + " (with RDMA, see the limit of locked memory, ulimit -l)",
          e);
    }
  }

  private UcxRegion add(ByteBuffer memory, UcpMemory ucx, Runnable end) {
    byte[] capability = new byte[Frame.CAPABILITY_BYTES];
    RANDOM.nextBytes(capability);
    UcxRegion region = new UcxRegion(this, memory, ucx, ByteBuffer.wrap(capability), end);
    regions.put(region.remote(), region);
    return region;
  }

  /** The region with that key, or null. */
  UcxRegion find(RemoteRegion key) {
    return regions.get(key);
  }

  /** Ends a region, once; waits for that where the caller may. */
  void close(UcxRegion region) {
    if (regions.remove(region.remote()) != null && !loop.submit(region::revoke)) {
      // Its last work is to take regions back, too.
      loop.awaitEnd();
      region.revoke();
    }
    if (!ProgressLoop.isCallingBack()) {
      region.awaitReleased();
    }
  }

  /** A region has ended. */
  private synchronized void released() {
    registered--;
  }

  /** The transport is closed: no more are registered. Returns how many still are. */
  synchronized int close() {
    closed = true;
    return registered;
  }
}
