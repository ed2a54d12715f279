// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;

/**
 * The loop's side of a transport: its connections, listeners and regions. On the loop's thread
 * only, but where it says so.
 */
final class LoopTransport {

  private final SharedWorker worker;
  private final ProgressLoop loop;
  private final Regions regions;
  private final Set<LoopConnection> connections = new HashSet<>();
  private final Map<SharedListener, Greeting.Taker> listeners = new HashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private boolean closing;

  /** One that its worker does not know yet. */
  LoopTransport(SharedWorker worker) {
    this.worker = worker;
    this.loop = worker.loop();
    this.regions = new Regions(worker.context(), loop);
  }

  /**
   * A transport on the worker. Not on the loop's thread.
   *
   * @throws IOException when the worker's loop has ended
   */
  static LoopTransport open(SharedWorker worker) throws IOException {
    return worker
        .loop()
        .call(
            () -> {
              LoopTransport transport = new LoopTransport(worker);
              worker.add(transport);
              return transport;
            });
  }

  /** Any thread. */
  ProgressLoop loop() {
    return loop;
  }

  /** Any thread. */
  Regions regions() {
    return regions;
  }

  /**
   * Listens. Who has connected by the time that the listener is closed, and says HELLO only then,
   * is refused.
   *
   * @throws IOException when the transport is closed
   * @throws UcxException when UCX does not
   */
  SharedListener listen(InetSocketAddress address, Greeting.Taker taker) throws IOException {
    requireOpen();
    SharedListener listener =
        worker.listen(
            address,
            request ->
                accept(
                    request,
                    connection -> listeners.containsValue(taker) && taker.take(connection)));
    listeners.put(listener, taker);
    return listener;
  }

  private void close(SharedListener listener) {
    if (listeners.remove(listener) != null) {
      listener.retire();
    }
  }

  /** Closes a listener, from any thread; waits for that where the caller may. */
  void closeListener(SharedListener listener) {
    CountDownLatch done = new CountDownLatch(1);
    boolean taken =
        loop.submit(
            () -> {
              try {
                close(listener);
              } finally {
                done.countDown();
              }
            });
    if (taken && !ProgressLoop.isCallingBack()) {
      UninterruptibleWaits.await(done);
    }
  }

  /**
   * Begins to connect.
   *
   * @throws IOException when the transport is closed
   * @throws UcxException when UCX does not even try
   */
  LoopConnection connect(InetSocketAddress address, Duration deadline, ConnectionEvents events)
      throws IOException {
    requireOpen();
    LoopConnection connection =
        new LoopConnection(this, worker.nextNumber(), address, deadline.toNanos());
    connection.setEndpoint(
        worker.open(connection, new UcpEndpointParams().setSocketAddress(address)));
    connection.setEvents(events);
    connections.add(connection);
    connection.sendHello();
    loop.settle();
    return connection;
  }

  /** An endpoint that nobody drives any longer would end the process with its worker. */
  private void requireOpen() throws IOException {
    if (closing) {
      throw new IOException("the ucx transport is closed");
    }
  }

  /** Tells who has connected that nobody listens. */
  void refuse(UcpConnectionRequest request) {
    accept(request, connection -> false);
  }

  private void accept(UcpConnectionRequest request, Greeting.Taker taker) {
    LoopConnection connection =
        new LoopConnection(
            this, worker.nextNumber(), request.getClientAddress(), Greeting.DEADLINE.toNanos());
    UcpEndpoint endpoint;
    try {
      endpoint = worker.open(connection, new UcpEndpointParams().setConnectionRequest(request));
    } catch (UcxException e) {
      // Who connected is gone again; UCX has freed its request.
      return;
    }
    connection.setEndpoint(endpoint);
    connections.add(connection);
    worker.await(endpoint, new Greeting(connection, taker));
  }

  /** Whether a connection of this process, of any transport, is being made. */
  boolean isAnyConnecting(long now) {
    return worker.isAnyConnecting(now);
  }

  /** Whether an endpoint of this process, of any transport, is being closed. */
  boolean isAnyBeingCut() {
    return worker.isAnyBeingCut(System.nanoTime());
  }

  /** A connection has ended; false when it had before. */
  boolean remove(LoopConnection connection) {
    boolean first = worker.remove(connection);
    connections.remove(connection);
    return first;
  }

  /** A connection that has ended has told so. */
  void leaveIfIdle() {
    if (closing && connections.isEmpty()) {
      worker.remove(this);
      closed.countDown();
    }
  }

  /**
   * Closes all, and waits until it has ended, which the connections' deadlines see to. Not on the
   * loop's thread.
   */
  void close() {
    boolean taken =
        loop.submit(
            () -> {
              closing = true;
              List.copyOf(listeners.keySet()).forEach(this::close);
              List.copyOf(connections).forEach(LoopConnection::close);
              leaveIfIdle();
            });
    if (!taken) {
      loop.awaitEnd();
    }
    UninterruptibleWaits.await(closed);
  }

  /** The loop has ended: UCX can be asked for nothing any longer. */
  void abandon(Throwable cause) {
    closing = true;
    List.copyOf(connections).forEach(connection -> connection.abandon(cause));
    List.copyOf(listeners.keySet()).forEach(this::close);
    closed.countDown();
  }
}
