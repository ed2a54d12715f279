// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.RemoteRegion;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpMemory;
import org.openucx.jucx.ucp.UcpRequestParams;
import org.openucx.jucx.ucs.UcsConstants;

/**
 * Memory that is registered with UCX, the user's or UCX's own. Keeps its buffer alive until no peer
 * uses it any longer, which {@link #close} waits for, unless it is called by a completion or a
 * handler.
 */
final class UcxRegion implements MemoryRegion {

  private final Regions regions;
  private final ByteBuffer memory;
  private final long address;
  private final UcpMemory ucx;
  private final UcpRequestParams params;
  private final RemoteRegion remote;
  private final Runnable end;
  private final Set<LoopConnection> holders = new HashSet<>();
  private final CountDownLatch released = new CountDownLatch(1);
  private boolean wanted;

  /**
   * A region.
   *
   * @param end run once, when it is closed and no peer has it any longer
   */
  UcxRegion(
      Regions regions, ByteBuffer memory, UcpMemory ucx, ByteBuffer capability, Runnable end) {
    this.regions = regions;
    this.memory = memory.duplicate().clear();
    this.address = UcxUtils.getAddress(this.memory);
    this.ucx = ucx;
    this.params =
        new UcpRequestParams()
            .setMemoryType(UcsConstants.MEMORY_TYPE.UCS_MEMORY_TYPE_HOST)
            .setMemoryHandle(ucx);
    this.remote = new RemoteRegion(memory.capacity(), capability);
    this.end = end;
  }

  @Override
  public ByteBuffer memory() {
    return memory.duplicate();
  }

  @Override
  public RemoteRegion remote() {
    return remote;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Waits until peers have ended what they have under way in it; one that does not within its
   * connection's deadline loses the connection.
   */
  @Override
  public void close() {
    regions.close(this);
  }

  Regions regions() {
    return regions;
  }

  long address() {
    return address;
  }

  /** What UCX is told of the local side of an operation, so that it need not look. */
  UcpRequestParams params() {
    return params;
  }

  /** UCX's key, for a grant. */
  ByteBuffer packedKey() {
    return ucx.getRemoteKeyBuffer();
  }

  // On the loop's thread.

  void lentTo(LoopConnection connection) {
    holders.add(connection);
  }

  void returnedBy(LoopConnection connection) {
    holders.remove(connection);
    if (wanted && holders.isEmpty()) {
      release();
    }
  }

  /** Wants the region back from all who have it, and ends the registration when nobody does. */
  void revoke() {
    wanted = true;
    if (holders.isEmpty()) {
      release();
    } else {
      List.copyOf(holders).forEach(connection -> connection.wantBack(this));
    }
  }

  private void release() {
    end.run();
    released.countDown();
  }

  /** Waits until {@link #revoke} has come to its end, which connections' deadlines see to. */
  void awaitReleased() {
    UninterruptibleWaits.await(released);
  }
}
