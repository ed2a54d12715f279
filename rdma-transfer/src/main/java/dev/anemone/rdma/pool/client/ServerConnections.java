// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.ServerUnavailableException;
import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.FreePages;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's connections, one to each server of the pool: keeps the leases on them, and connects
 * again to servers that were started again. Thread-safe.
 */
final class ServerConnections implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ServerConnections.class);
  private static final int HEARTBEATS_IN_A_LEASE = 4;

  /** A heartbeat comes in a fraction of the lease, and at least so often. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private static final Duration RETRY_AFTER = Duration.ofMillis(100);

  private final Transport transport;
  private final PoolClientOptions options;
  private final Caller.Identity identity;
  private final Listener listener;
  private final List<ServerConnection> connections = new ArrayList<>();
  private final ScheduledExecutorService heartbeats;
  private long pauseMillis;
  private volatile boolean closed;

  /** Told what servers say. Must not wait. */
  interface Listener {
    /** Free pages of a server. */
    void free(int server, FreePages pages);

    /** These objects were deleted. */
    void removed(List<ObjectId> objects);

    /** Any object can have been deleted. */
    void anyRemoved();
  }

  /** The way to one server. */
  private final class ServerConnection {
    final int number;
    final ServerAddress address;
    RemoteServer current;
    long failedNanos;
    IOException failure;

    ServerConnection(int number, ServerAddress address) {
      this.number = number;
      this.address = address;
    }

    synchronized RemoteServer require(boolean anew) throws IOException {
      if (closed) {
        throw new IOException("the pool's client is closed");
      }
      if (current != null && current.caller().isOpen()) {
        return current;
      }
      if (!anew && failure != null && System.nanoTime() - failedNanos < RETRY_AFTER.toNanos()) {
        throw new ServerUnavailableException(failure.getMessage(), failure);
      }
      try {
        awaitEndOfFormer();
        Caller caller =
            Caller.connect(
                transport, address, options.token(), identity, options.deadline(), this::ended);
        current = new RemoteServer(number, caller);
        failure = null;
        listener.free(number, caller.welcome().freePages());
        return current;
      } catch (ServerUnavailableException e) {
        failure = e;
        failedNanos = System.nanoTime();
        listener.free(number, FreePages.NONE);
        throw e;
      }
    }

    /** By a new connection the server knows that this side does not write on the former one. */
    private void awaitEndOfFormer() throws ServerUnavailableException {
      if (current != null && !current.caller().isOver()) {
        try {
          current.caller().closeAndAwait();
        } catch (IllegalStateException e) {
          throw new ServerUnavailableException(e.getMessage(), e);
        }
        if (!current.caller().isOver()) {
          throw new ServerUnavailableException(
              "Interrupted while the connection to pool server " + address + " ended.", null);
        }
      }
    }

    private void ended() {
      // What was deleted from now on, it cannot tell.
      listener.anyRemoved();
    }

    void heartbeat() {
      try {
        RemoteServer server = require(false);
        var renewal =
            server
                .caller()
                .start(new Request.Heartbeat(server.removals()))
                .orTimeout(options.deadline().toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((reply, failed) -> renewed(server, reply, failed));
        renewal.exceptionally(
            failed -> {
              // An answer that could not be used renews nothing: the next heartbeat connects anew.
              server.caller().close();
              return null;
            });
      } catch (IOException e) {
        // The server is down: whoever asks it for something is told so.
        listener.free(number, FreePages.NONE);
      } catch (RuntimeException e) {
        // Thrown on, it would be the last heartbeat, and the lease would end without a word.
        LOG.warn("a heartbeat to pool server {} failed; the next one follows", address, e);
        listener.free(number, FreePages.NONE);
      }
    }

    private void renewed(RemoteServer server, Reply reply, Throwable failed) {
      if (failed == null && reply instanceof Reply.Renewed renewed) {
        server.setRemovals(renewed.removals());
        listener.free(number, renewed.freePages());
        if (renewed.complete() == 0) {
          listener.anyRemoved();
        } else if (!renewed.removed().isEmpty()) {
          listener.removed(renewed.removed());
        }
      } else {
        server.caller().close();
      }
    }

    synchronized void close() {
      if (current != null) {
        try {
          current.caller().call(new Request.Leave(), Reply.Done.class);
        } catch (IOException e) {
          LOG.debug("pool server {} will notice by itself that its client is gone", address, e);
        }
        current.caller().closeAndAwait();
      }
    }
  }

  /** Nothing is connected yet. */
  ServerConnections(
      Transport transport, PoolClientOptions options, UUID client, Listener listener) {
    this.transport = transport;
    this.options = options;
    this.identity = new Caller.Identity(options.servers().toString(), client, -1, 0);
    this.listener = listener;
    for (int i = 0; i < options.servers().size(); i++) {
      connections.add(new ServerConnection(i, options.servers().get(i)));
    }
    this.heartbeats =
        Executors.newScheduledThreadPool(
            connections.size(),
            task -> {
              Thread thread = new Thread(task, "anemone-pool-lease");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Connects to every server that is there, and keeps the leases from now on.
   *
   * @return the page size of the pool, bytes
   * @throws IOException when none is there, or one refuses
   */
  int connect() throws IOException {
    int pageBytes = 0;
    long leaseMillis = 0;
    IOException failure = null;
    for (ServerConnection connection : connections) {
      try {
        Reply.Welcome welcome = connection.require(false).caller().welcome();
        if (pageBytes != 0 && pageBytes != welcome.pageBytes()) {
          throw new IOException(
              "Pool server "
                  + connection.address
                  + " has pages of "
                  + welcome.pageBytes()
                  + " bytes, others of "
                  + pageBytes
                  + ". Start all with the same size.");
        }
        pageBytes = welcome.pageBytes();
        leaseMillis = welcome.leaseMillis();
      } catch (ServerUnavailableException e) {
        failure = e;
      }
    }
    if (pageBytes == 0) {
      throw failure;
    }
    pauseMillis = Math.min(leaseMillis / HEARTBEATS_IN_A_LEASE, LONGEST_PAUSE.toMillis()) + 1;
    connections.forEach(connection -> repeat(connection::heartbeat));
    return pageBytes;
  }

  /** Does something as often as leases are renewed, after {@link #connect}. Must not wait. */
  void repeat(Runnable work) {
    var repeated =
        heartbeats.scheduleWithFixedDelay(work, pauseMillis, pauseMillis, TimeUnit.MILLISECONDS);
    if (repeated.isCancelled()) {
      throw new IllegalStateException("the pool's client is closed");
    }
  }

  /** How many servers the pool has, dead ones too. */
  int size() {
    return connections.size();
  }

  /** The address of a server. */
  ServerAddress address(int server) {
    return connections.get(server).address;
  }

  /**
   * The connection to a server; connects when there is none.
   *
   * @throws ServerUnavailableException when the server is down
   */
  RemoteServer require(int server) throws IOException {
    return connection(server).require(false);
  }

  /**
   * The connection to a server; connects when there is none, even if it was down a moment ago. For
   * those who would otherwise fail because of what may have changed since.
   *
   * @throws ServerUnavailableException when the server is down
   */
  RemoteServer requireAnew(int server) throws IOException {
    return connection(server).require(true);
  }

  private ServerConnection connection(int server) throws IOException {
    if (server < 0 || server >= connections.size()) {
      throw new IOException("the pool has no server of number " + server);
    }
    return connections.get(server);
  }

  /** Asks a server something. */
  @FunctionalInterface
  interface Question {
    void ask(RemoteServer server) throws IOException;
  }

  /** Asks each server that is there. */
  void forEachLive(Question question) {
    for (ServerConnection connection : connections) {
      try {
        question.ask(connection.require(false));
      } catch (IOException e) {
        listener.free(connection.number, FreePages.NONE);
      }
    }
  }

  /**
   * Ends all connections, and waits until nothing uses this process's memory.
   *
   * @throws IllegalStateException when a connection does not end in time; the others have ended
   */
  @Override
  public void close() {
    closed = true;
    heartbeats.shutdownNow();
    IllegalStateException failure = null;
    for (ServerConnection connection : connections) {
      try {
        connection.close();
      } catch (IllegalStateException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
