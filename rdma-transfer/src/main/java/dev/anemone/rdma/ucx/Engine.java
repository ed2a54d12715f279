package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.Connection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpListener;
import org.openucx.jucx.ucp.UcpListenerParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucs.UcsConstants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A UCX worker with all that hangs on it: its links and listeners. On the loop's thread only, but
 * where it says so.
 */
final class Engine implements ProgressLoop.Owner {

  /** What becomes of a new connection: told who it is, the taker sets its events. */
  @FunctionalInterface
  interface Taker {
    void take(Link link);
  }

  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  /** How long one who has connected may take to say HELLO. */
  private static final Duration GREETING = Duration.ofSeconds(10);

  private final UcpWorker worker;
  private final ProgressLoop loop;
  private final Regions regions;
  private final Map<Long, Link> links = new HashMap<>();
  private final Map<Long, Greeting> greetings = new HashMap<>();
  private final Set<UcpListener> listeners = new HashSet<>();
  private long lastNumber;
  private boolean closing;

  /** A connection whose HELLO has not come, and who wants it then. */
  private record Greeting(Link link, Taker taker) {}

  Engine(UcpContext context, UcpWorker worker) {
    this.worker = worker;
    this.loop = new ProgressLoop(worker, this);
    this.regions = new Regions(context, loop);
    worker.setAmRecvHandler(Operation.AM_ID, this::receive);
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
  UcpListener listen(InetSocketAddress address, Taker taker) throws IOException {
    requireOpen();
    UcpListener listener =
        worker.newListener(
            new UcpListenerParams()
                .setSockAddr(address)
                .setConnectionHandler(request -> loop.afterCall(() -> accept(request, taker))));
    listeners.add(listener);
    return listener;
  }

  private void close(UcpListener listener) {
    if (listeners.remove(listener)) {
      listener.close();
    }
  }

  /** Closes a listener, from any thread; waits for that where the caller may. */
  void closeListener(UcpListener listener) {
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
    if (taken && !ProgressLoop.isCurrentThread()) {
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
    Link link = new Link(this, ++lastNumber, address, deadline.toNanos());
    link.setEndpoint(open(link, new UcpEndpointParams().setSocketAddress(address)));
    link.setEvents(events);
    links.put(link.number(), link);
    link.sendHello();
    return link;
  }

  /** An endpoint that nobody drives any longer would end the process with its worker. */
  private void requireOpen() throws IOException {
    if (closing) {
      throw new IOException("the ucx transport is closed");
    }
  }

  private void accept(UcpConnectionRequest request, Taker taker) {
    if (closing) {
      request.reject();
      return;
    }
    Link link = new Link(this, ++lastNumber, request.getClientAddress(), GREETING.toNanos());
    UcpEndpoint endpoint;
    try {
      endpoint = open(link, new UcpEndpointParams().setConnectionRequest(request));
    } catch (UcxException e) {
      // Who connected is gone again; UCX has freed its request.
      return;
    }
    link.setEndpoint(endpoint);
    links.put(link.number(), link);
    greetings.put(endpoint.getNativeId(), new Greeting(link, taker));
  }

  private UcpEndpoint open(Link link, UcpEndpointParams params) {
    return worker.newEndpoint(
        params
            .setPeerErrorHandlingMode()
            .setErrorHandler(
                (endpoint, status, message) -> loop.afterCall(() -> link.broken(message))));
  }

  /** Takes an active message; called by UCX, to which no exception may come. */
  private int receive(long header, long headerLength, UcpAmData data, UcpEndpoint reply) {
    if (data.isDataValid() && data.getLength() >= Frame.HEADER_BYTES) {
      ByteBuffer frame = UcxUtils.getByteBufferView(data.getDataAddress(), data.getLength());
      long number = frame.getLong();
      long order = frame.getLong();
      Frame.Type type = Frame.Type.of(frame.getInt());
      if (type == Frame.Type.HELLO && reply != null) {
        greeted(greetings.remove(reply.getNativeId()), frame);
      } else if (type != null && links.containsKey(number)) {
        links.get(number).receive(order, type, frame.slice());
      }
    }
    return UcsConstants.STATUS.UCS_OK;
  }

  private static void greeted(Greeting greeting, ByteBuffer body) {
    if (greeting == null
        || !greeting.link.isGreeting()
        || body.remaining() < Frame.HELLO_BYTES
        || body.getLong() != Frame.MAGIC) {
      // Too late, or not of this transport: it gets no answer, and its time runs out.
      return;
    }
    long number = body.getLong();
    long deadlineMillis = body.getLong();
    if (deadlineMillis < 1 || deadlineMillis > Connection.LONGEST_DEADLINE.toMillis()) {
      greeting.link.fail("the peer wants a deadline of " + deadlineMillis + " ms");
      return;
    }
    try {
      greeting.taker.take(greeting.link);
    } catch (RuntimeException e) {
      LOG.error("the connection of {} ends, since its acceptor failed", greeting.link.peer(), e);
      greeting.link.fail("the acceptor failed: " + e);
      return;
    }
    greeting.link.welcome(number, deadlineMillis);
  }

  /** A link has ended; false when it had before. */
  boolean remove(Link link) {
    greetings.values().removeIf(greeting -> greeting.link == link);
    return links.remove(link.number(), link);
  }

  /** Closes all, so that the engine becomes idle. */
  void close() {
    closing = true;
    List.copyOf(listeners).forEach(this::close);
    List.copyOf(links.values()).forEach(Link::close);
  }

  @Override
  public boolean tick(long now) {
    boolean any = false;
    for (Link link : List.copyOf(links.values())) {
      any |= link.tick(now);
    }
    return any;
  }

  @Override
  public boolean isIdle() {
    return links.isEmpty();
  }

  @Override
  public void ended(Throwable cause) {
    if (cause != null) {
      LOG.error("UCX's thread has ended, and with it the transport", cause);
    }
    closing = true;
    List.copyOf(links.values()).forEach(link -> link.abandon(cause));
    List.copyOf(listeners).forEach(this::close);
  }
}
