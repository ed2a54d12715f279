// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.ucx.library.MappingTrial;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpListener;
import org.openucx.jucx.ucp.UcpListenerParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;
import org.openucx.jucx.ucs.UcsConstants;

/**
 * UCX of this process: a context, a worker and the thread that drives it, which all transports of
 * the process share, from the first that opens to the last that closes, or to the end of the
 * process when one of them has listened. On the loop's thread only, but where it says so.
 *
 * <p>There is one only, since UCX before 1.18 ends a process with several: an event of a socket
 * that comes while its worker is busy is kept under the socket's number, which may be that of
 * another worker's socket when the event is looked at.
 */
final class SharedWorker implements ProgressLoop.Owner {

  /** What UCX's variables are where the user has not set them. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          // What goes wrong is told by exceptions; UCX would write it to the standard output too.
          "LOG_LEVEL",
          "fatal",
          // Shared memory can tell that its peer has died, but UCX does not use it on endpoints
          // that want to know, unless it is asked to.
          "MM_ERROR_HANDLING",
          "y");

  private static final Object LOCK = new Object();

  /** Of this process, or null; under {@link #LOCK}, as the number of those who have it. */
  private static SharedWorker open;

  private static int users;

  private final SharedContext context;
  private final UcpWorker worker;
  private final ProgressLoop loop;
  private final List<LoopTransport> transports = new ArrayList<>();

  /** Has the connections that nobody wants, until they are refused. */
  private final LoopTransport refusing;

  private final List<SharedListener> listeners = new ArrayList<>();
  private final Map<Long, LoopConnection> connections = new HashMap<>();

  /** Those who have connected and not said HELLO, by UCX's endpoint. */
  private final Map<Long, Greeting> greetings = new HashMap<>();

  private final SecureRandom random = new SecureRandom();

  private SharedWorker(SharedContext context, UcpWorker worker) {
    this.context = context;
    this.worker = worker;
    this.loop = new ProgressLoop(worker, this);
    this.refusing = new LoopTransport(this);
    worker.setAmRecvHandler(Operation.AM_ID, this::receive);
  }

  /**
   * The worker of this process, for a user more. Any thread.
   *
   * @throws UcxException when UCX does not start
   * @throws IOException when its thread has failed: then UCX cannot be left, and so not be entered
   *     again; and when its libraries cannot be called
   */
  static SharedWorker acquire() throws IOException {
    synchronized (LOCK) {
      if (open == null) {
        open = start();
      } else if (open.loop.failure() != null) {
        throw new IOException("its thread has failed", open.loop.failure());
      }
      users++;
      return open;
    }
  }

  private static SharedWorker start() throws IOException {
    MappingTrial trial = MappingTrial.inLoadedLibraries();
    UcpParams params =
        new UcpParams()
            .requestAmFeature()
            .requestRmaFeature()
            .requestWakeupFeature()
            // Memory is registered by users' threads, beside the worker's.
            .setMtWorkersShared(true);
    DEFAULTS.forEach(
        (name, value) -> {
          if (System.getenv("UCX_" + name) == null) {
            params.setConfig(name, value);
          }
        });
    UcpContext context = new UcpContext(params);
    try {
      SharedWorker started =
          new SharedWorker(
              new SharedContext(context, trial), context.newWorker(new UcpWorkerParams()));
      started.loop.start();
      return started;
    } catch (UcxException e) {
      context.close();
      throw e;
    }
  }

  /**
   * A user has gone, whose transport is closed; the last one ends it, unless there are {@linkplain
   * SharedListener listeners}, for which it stays. Not on the loop's thread.
   *
   * @throws IllegalStateException when the loop has failed: what UCX holds stays
   */
  void release() {
    synchronized (LOCK) {
      users--;
      // The loop has closed this user's transport, and so is done with the listeners.
      if (loop.failure() == null && users == 0 && listeners.isEmpty()) {
        open = null;
        loop.stop();
        if (loop.failure() == null) {
          worker.close();
          context.leave();
        }
      }
    }
    if (loop.failure() != null) {
      throw new IllegalStateException("UCX's thread has failed", loop.failure());
    }
  }

  /** Any thread. */
  ProgressLoop loop() {
    return loop;
  }

  /** Any thread. */
  SharedContext context() {
    return context;
  }

  /**
   * Listens, by a listener that nobody wants any longer where there is one.
   *
   * @throws UcxException when UCX does not
   */
  SharedListener listen(InetSocketAddress address, Consumer<UcpConnectionRequest> taker) {
    for (SharedListener listener : listeners) {
      if (listener.isRetired() && listener.isAt(address)) {
        listener.open(taker);
        return listener;
      }
    }
    AtomicReference<SharedListener> made = new AtomicReference<>();
    UcpListener ucx =
        worker.newListener(
            new UcpListenerParams()
                .setSockAddr(address)
                .setConnectionHandler(
                    request -> loop.afterCall(() -> connect(made.get(), request))));
    SharedListener listener = new SharedListener(ucx, refusing::refuse);
    made.set(listener);
    listener.open(taker);
    listeners.add(listener);
    return listener;
  }

  /** UCX has opened a socket. */
  private void connect(SharedListener listener, UcpConnectionRequest request) {
    listener.connect(request);
    loop.settle();
  }

  /** A transport that is to be told when the loop ends. */
  void add(LoopTransport transport) {
    transports.add(transport);
  }

  void remove(LoopTransport transport) {
    transports.remove(transport);
  }

  /** A number for a connection, which nobody can guess; never 0, which greetings are sent to. */
  long nextNumber() {
    long number = random.nextLong();
    while (number == 0 || connections.containsKey(number)) {
      number = random.nextLong();
    }
    return number;
  }

  UcpEndpoint open(LoopConnection connection, UcpEndpointParams params) {
    UcpEndpoint endpoint =
        worker.newEndpoint(
            params
                .setPeerErrorHandlingMode()
                .setErrorHandler(
                    (failed, status, message) -> loop.afterCall(() -> connection.broken(message))));
    connections.put(connection.number(), connection);
    return endpoint;
  }

  /** Who connects by an endpoint will say HELLO. */
  void await(UcpEndpoint endpoint, Greeting greeting) {
    greetings.put(endpoint.getNativeId(), greeting);
  }

  /** Whether a connection is being made. */
  boolean isAnyConnecting(long now) {
    return connections.values().stream().anyMatch(connection -> connection.isConnecting(now));
  }

  /** Whether an endpoint is being closed. */
  boolean isAnyBeingCut(long now) {
    return connections.values().stream().anyMatch(connection -> connection.isBeingCut(now));
  }

  /** A connection has ended; false when it had before. */
  boolean remove(LoopConnection connection) {
    greetings.values().removeIf(greeting -> greeting.connection() == connection);
    return connections.remove(connection.number(), connection);
  }

  /**
   * Takes an active message; called by UCX, to which no exception may come. It reaches a connection
   * only if it came over that one's own endpoint: whoever else knows or guesses the number, has
   * said nothing.
   */
  private int receive(long header, long headerLength, UcpAmData data, UcpEndpoint reply) {
    if (reply != null && data.isDataValid() && data.getLength() >= Frame.HEADER_BYTES) {
      ByteBuffer frame = UcxUtils.getByteBufferView(data.getDataAddress(), data.getLength());
      long number = frame.getLong();
      long order = frame.getLong();
      Frame.Type type = Frame.Type.of(frame.getInt());
      if (type == Frame.Type.HELLO) {
        Greeting greeting = greetings.remove(reply.getNativeId());
        if (greeting != null) {
          greeting.hello(frame);
        }
      } else if (type != null) {
        LoopConnection connection = connections.get(number);
        if (connection != null && connection.isOn(reply)) {
          connection.receive(order, type, frame.slice());
        }
      }
    }
    return UcsConstants.STATUS.UCS_OK;
  }

  @Override
  public boolean tick(long now) {
    boolean any = false;
    for (LoopConnection connection : List.copyOf(connections.values())) {
      any |= connection.tick(now);
    }
    return any;
  }

  @Override
  public boolean isIdle() {
    return transports.isEmpty();
  }

  @Override
  public void ended(Throwable cause) {
    List.copyOf(transports).forEach(transport -> transport.abandon(cause));
  }
}
