// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.Acceptor;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.Listener;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.openucx.jucx.UcxException;

/** A transport on the UCX of this process. */
final class UcxTransport implements Transport {

  static final String NAME = "ucx";

  /** How often it is looked whether endpoints have been closed. */
  private static final long CUT_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final SharedWorker worker;
  private final LoopTransport loopSide;
  private final AtomicBoolean closed = new AtomicBoolean();

  private UcxTransport(SharedWorker worker, LoopTransport loopSide) {
    this.worker = worker;
    this.loopSide = loopSide;
  }

  /**
   * Opens one.
   *
   * @throws UcxException when UCX does not start
   * @throws IOException when UCX's thread has failed in this process, or its library is not seen
   */
  static UcxTransport open() throws IOException {
    SharedWorker worker = SharedWorker.acquire();
    try {
      return new UcxTransport(worker, LoopTransport.open(worker));
    } catch (IOException e) {
      worker.release();
      throw e;
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public MemoryRegion register(ByteBuffer memory) throws IOException {
    return loopSide.regions().register(memory);
  }

  @Override
  public MemoryRegion allocate(int bytes) throws IOException {
    return loopSide.regions().allocate(bytes);
  }

  /**
   * {@inheritDoc} Waits, up to a minute or so, where the port was that of a process that has ended.
   */
  @Override
  public Listener listen(InetSocketAddress address, Acceptor acceptor) throws IOException {
    requireResolved(address);
    LingeringPort port = new LingeringPort(address);
    while (true) {
      try {
        return loopSide.loop().call(() -> begin(address, acceptor));
      } catch (IOException e) {
        if (!port.awaitAfter(e)) {
          throw new IOException("cannot listen on " + address + " by ucx: " + e.getMessage(), e);
        }
      }
    }
  }

  private UcxListener begin(InetSocketAddress address, Acceptor acceptor) throws IOException {
    SharedListener listener = loopSide.listen(address, accepted -> accept(accepted, acceptor));
    return new UcxListener(loopSide, listener);
  }

  private boolean accept(LoopConnection accepted, Acceptor acceptor) {
    UcxConnection connection = new UcxConnection(accepted, loopSide.regions());
    connection.setHandler(acceptor.accept(connection));
    accepted.setEvents(connection);
    return true;
  }

  @Override
  public Connection connect(InetSocketAddress address, MessageHandler handler, Duration deadline)
      throws IOException {
    if (deadline.compareTo(Connection.LONGEST_DEADLINE) > 0 || deadline.toMillis() < 1) {
      throw new IllegalArgumentException("a deadline of " + deadline);
    }
    requireResolved(address);
    Connecting connecting = new Connecting(handler);
    try {
      awaitCuts();
      loopSide.loop().call(() -> connecting.begin(loopSide, address, deadline));
    } catch (IOException e) {
      throw new IOException("cannot connect to " + address + " by ucx: " + e.getMessage(), e);
    }
    return connecting.await();
  }

  /** Lets UCX close what it is closing, so that it opens no socket meanwhile. */
  private void awaitCuts() throws IOException {
    long began = System.nanoTime();
    while (loopSide.loop().call(loopSide::isAnyBeingCut)
        && System.nanoTime() - began < LoopConnection.HANDSHAKE_NANOS) {
      LockSupport.parkNanos(this, CUT_LOOK_NANOS);
    }
  }

  private static void requireResolved(InetSocketAddress address) throws IOException {
    if (address.isUnresolved()) {
      throw new UnknownHostException("the host of " + address + " is not known");
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException also when it is called by a completion or a handler, and when
   *     UCX's thread has failed: then UCX cannot be left, and what it holds stays
   */
  @Override
  public void close() {
    if (ProgressLoop.isCallingBack()) {
      throw new IllegalStateException("a completion or a handler cannot close a transport");
    }
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    loopSide.close();
    int left = loopSide.regions().close();
    worker.release();
    if (left > 0) {
      throw new IllegalStateException(
          left + " regions are still registered with the ucx transport that was closed");
    }
  }
}
