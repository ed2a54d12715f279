// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import dev.anemone.rdma.transport.Acceptor;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.Listener;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import io.netty.channel.nio.NioEventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * TCP, on event loops of Netty's. Netty selects, wakes and times; the sockets are read and written
 * without its pipelines, so that bytes go between them and registered memory, and no object is made
 * for an operation.
 */
final class TcpTransport implements Transport {

  static final String NAME = "tcp";

  /** How long what is closed may take to end. */
  static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

  private static final int MOST_LOOPS = 4;

  private final RegionTable regions = new RegionTable();
  private final NioEventLoopGroup loops =
      new NioEventLoopGroup(
          Math.min(MOST_LOOPS, Runtime.getRuntime().availableProcessors()),
          new DefaultThreadFactory("anemone-tcp", true));
  private final Set<TcpConnection> connections = ConcurrentHashMap.newKeySet();
  private final Set<TcpListener> listeners = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** What is said to who uses a transport that is closed. */
  static IOException closedException() {
    return new IOException("the transport " + NAME + " is closed");
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public MemoryRegion register(ByteBuffer memory) throws IOException {
    if (!memory.isDirect()) {
      throw new IllegalArgumentException("only a direct buffer can be registered");
    }
    return regions.add(memory);
  }

  /**
   * A region of this transport.
   *
   * @throws IllegalArgumentException when it is another's
   */
  TcpRegion own(MemoryRegion region) {
    if (region instanceof TcpRegion own && own.isOf(regions)) {
      return own;
    }
    throw new IllegalArgumentException("the local region is not registered with this transport");
  }

  RegionTable regions() {
    return regions;
  }

  @Override
  public Listener listen(InetSocketAddress address, Acceptor acceptor) throws IOException {
    checkOpen();
    requireResolved(address);
    TcpListener listener = TcpListener.open(this, address, acceptor, nextLoop());
    listeners.add(listener);
    if (closed) {
      listener.close();
      throw closedException();
    }
    return listener;
  }

  @Override
  public Connection connect(InetSocketAddress address, MessageHandler handler, Duration deadline)
      throws IOException {
    checkOpen();
    requireResolved(address);
    return Connecting.connect(this, address, handler, deadline);
  }

  private static void requireResolved(InetSocketAddress address) throws IOException {
    if (address.isUnresolved()) {
      throw new UnknownHostException("the host of " + address + " is not known");
    }
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw closedException();
    }
  }

  NioEventLoop nextLoop() {
    return (NioEventLoop) loops.next();
  }

  /**
   * Adds a connection, which is closed with the transport; on its event loop, before it begins.
   *
   * @throws IOException when the transport is closed: then the connection must not begin
   */
  synchronized void remember(TcpConnection connection) throws IOException {
    checkOpen();
    connections.add(connection);
  }

  void forget(TcpConnection connection) {
    connections.remove(connection);
  }

  void forget(TcpListener listener) {
    listeners.remove(listener);
  }

  @Override
  public void close() {
    List<TcpConnection> ending;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      ending = new ArrayList<>(connections);
    }
    int left = regions.close();
    listeners.forEach(TcpListener::close);
    ending.forEach(TcpConnection::close);
    boolean mayWait = !isOnLoop();
    long deadline = System.nanoTime() + CLOSE_PATIENCE.toNanos();
    if (mayWait) {
      ending.forEach(connection -> await(connection.ended(), deadline));
    }
    Future<?> end = loops.shutdownGracefully(0, CLOSE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    if (mayWait && !await(end, deadline + CLOSE_PATIENCE.toNanos())) {
      throw new IllegalStateException("the threads of the transport " + NAME + " do not end");
    }
    if (left > 0) {
      throw new IllegalStateException(left + " regions are still registered");
    }
  }

  /** Whether the calling thread is one of this transport's, which must not wait for another. */
  boolean isOnLoop() {
    for (EventExecutor loop : loops) {
      if (loop.inEventLoop()) {
        return true;
      }
    }
    return false;
  }

  private static boolean await(Future<?> future, long deadlineNanos) {
    long left = deadlineNanos - System.nanoTime();
    return future.awaitUninterruptibly(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
  }
}
