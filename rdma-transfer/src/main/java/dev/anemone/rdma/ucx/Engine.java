// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;

/**
 * A transport's part of UCX: its links, listeners and regions. On the loop's thread only, but where
 * it says so.
 */
final class Engine {

  private final SharedWorker worker;
  private final ProgressLoop loop;
  private final Regions regions;
  private final Set<Link> links = new HashSet<>();
  private final Set<SharedListener> listeners = new HashSet<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private boolean closing;

  private Engine(SharedWorker worker) {
    this.worker = worker;
    this.loop = worker.loop();
    this.regions = new Regions(worker.context(), loop);
  }

  /**
   * An engine on the worker. Not on the loop's thread.
   *
   * @throws IOException when the worker's loop has ended
   */
  static Engine open(SharedWorker worker) throws IOException {
    return worker
        .loop()
        .call(
            () -> {
              Engine engine = new Engine(worker);
              worker.add(engine);
              return engine;
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
   * Listens.
   *
   * @throws IOException when the engine is closed
   * @throws UcxException when UCX does not
   */
  SharedListener listen(InetSocketAddress address, Greeting.Taker taker) throws IOException {
    requireOpen();
    SharedListener listener = worker.listen(address, request -> accept(request, taker));
    listeners.add(listener);
    return listener;
  }

  private void close(SharedListener listener) {
    if (listeners.remove(listener)) {
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
      Uninterruptibly.await(done);
    }
  }

  /**
   * Begins to connect.
   *
   * @throws IOException when the engine is closed
   * @throws UcxException when UCX does not even try
   */
  Link connect(InetSocketAddress address, Duration deadline, LinkEvents events) throws IOException {
    requireOpen();
    Link link = new Link(this, worker.nextNumber(), address, deadline.toNanos());
    link.setEndpoint(worker.open(link, new UcpEndpointParams().setSocketAddress(address)));
    link.setEvents(events);
    links.add(link);
    link.sendHello();
    loop.settle();
    return link;
  }

  /** An endpoint that nobody drives any longer would end the process with its worker. */
  private void requireOpen() throws IOException {
    if (closing) {
      throw new IOException("the ucx transport is closed");
    }
  }

  private void accept(UcpConnectionRequest request, Greeting.Taker taker) {
    if (closing) {
      request.reject();
      return;
    }
    Link link =
        new Link(
            this, worker.nextNumber(), request.getClientAddress(), Greeting.DEADLINE.toNanos());
    UcpEndpoint endpoint;
    try {
      endpoint = worker.open(link, new UcpEndpointParams().setConnectionRequest(request));
    } catch (UcxException e) {
      // Who connected is gone again; UCX has freed its request.
      return;
    }
    link.setEndpoint(endpoint);
    links.add(link);
    worker.await(endpoint, new Greeting(link, taker));
    loop.settle();
  }

  /** A link has ended; false when it had before. */
  boolean remove(Link link) {
    boolean first = worker.remove(link);
    links.remove(link);
    return first;
  }

  /** A link that has ended has told so. */
  void leaveIfIdle() {
    if (closing && links.isEmpty()) {
      worker.remove(this);
      closed.countDown();
    }
  }

  /**
   * Closes all, and waits until it has ended, which the links' deadlines see to. Not on the loop's
   * thread.
   */
  void close() {
    boolean taken =
        loop.submit(
            () -> {
              closing = true;
              List.copyOf(listeners).forEach(this::close);
              List.copyOf(links).forEach(Link::close);
              leaveIfIdle();
            });
    if (!taken) {
      loop.awaitEnd();
    }
    Uninterruptibly.await(closed);
  }

  /** The loop has ended: UCX can be asked for nothing any longer. */
  void abandon(Throwable cause) {
    closing = true;
    List.copyOf(links).forEach(link -> link.abandon(cause));
    List.copyOf(listeners).forEach(this::close);
    closed.countDown();
  }
}
