package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.RemoteRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;

/**
 * What a transport has registered, by its capabilities. Closes UCX's context when the transport and
 * all regions are closed. Thread-safe.
 */
final class Regions {

  private static final SecureRandom RANDOM = new SecureRandom();

  private final UcpContext context;
  private final ProgressLoop loop;
  private final Map<RemoteRegion, UcxRegion> regions = new ConcurrentHashMap<>();
  private int registered;
  private boolean closed;

  Regions(UcpContext context, ProgressLoop loop) {
    this.context = context;
    this.loop = loop;
  }

  UcxRegion register(ByteBuffer memory) throws IOException {
    if (!memory.isDirect()) {
      throw new IllegalArgumentException("only direct buffers can be registered, not " + memory);
    }
    byte[] capability = new byte[Frame.CAPABILITY_BYTES];
    RANDOM.nextBytes(capability);
    synchronized (this) {
      if (closed) {
        throw new IOException("the ucx transport is closed");
      }
      registered++;
    }
    try {
      ByteBuffer all = memory.duplicate().clear();
      UcxRegion region =
          new UcxRegion(this, all, context.registerMemory(all), ByteBuffer.wrap(capability));
      regions.put(region.remote(), region);
      return region;
    } catch (UcxException e) {
      released();
      throw new IOException(
          "UCX cannot register "
              + memory.capacity()
              + " bytes: "
              + e.getMessage()
              + " (with RDMA, see the limit of locked memory, ulimit -l)",
          e);
    }
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
    if (!ProgressLoop.isCurrentThread()) {
      region.awaitReleased();
    }
  }

  /** A registration has ended. */
  synchronized void released() {
    registered--;
    closeContextIfOver();
  }

  /** The transport is closed: no more are registered. Returns how many still are. */
  synchronized int close() {
    closed = true;
    int left = registered;
    closeContextIfOver();
    return left;
  }

  private void closeContextIfOver() {
    if (closed && registered == 0) {
      context.close();
    }
  }
}
