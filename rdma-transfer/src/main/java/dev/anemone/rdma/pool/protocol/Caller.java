// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import dev.anemone.rdma.pool.AccessRefusedException;
import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.ServerUnavailableException;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One connection to a server, on which it is asked. Every call has a deadline; when the connection
 * ends, all calls fail with the server's name. Thread-safe.
 */
public final class Caller implements MessageHandler, AutoCloseable {

  private final ServerAddress server;
  private final Duration deadline;
  private final boolean endsWhenSlow;
  private final Runnable onClosed;
  private final Messages messages = new Messages(Messages.MAX_BYTES);
  private final Map<Long, CompletableFuture<Reply>> calls = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile IOException ended;
  private Connection connection;
  private Reply.Welcome welcome;
  private String ownNonce = "";
  private String serversNonce = "";

  private Caller(ServerAddress server, Duration deadline, boolean endsWhenSlow, Runnable onClosed) {
    this.endsWhenSlow = endsWhenSlow;
    this.server = server;
    this.deadline = deadline;
    this.onClosed = onClosed;
  }

  /**
   * Who connects.
   *
   * @param pool the list of the pool's servers, as text
   */
  public record Identity(String pool, UUID client, int server, long incarnation) {

    /** The number of those who are no server. */
    public static final int CLIENT = -1;
  }

  /**
   * Connects to a server, and lets both sides prove that they have the token.
   *
   * @param deadline for this, and for each later operation and call
   * @param onClosed called once when the connection has ended, by a thread of the transport's; must
   *     not wait
   * @throws ServerUnavailableException when the server cannot be reached in time
   * @throws AccessRefusedException when a token is wrong, or the server knows another pool
   */
  public static Caller connect(
      Transport transport,
      ServerAddress server,
      AccessToken token,
      Identity identity,
      Duration deadline,
      Runnable onClosed)
      throws IOException {
    Caller caller = new Caller(server, deadline, identity.server() != Identity.CLIENT, onClosed);
    try {
      caller.connection = transport.connect(server.socketAddress(), caller, deadline);
    } catch (IOException e) {
      throw new ServerUnavailableException(
          "Pool server " + server + " cannot be reached: " + e.getMessage(), e);
    }
    try {
      caller.welcome = caller.introduce(token, identity);
      return caller;
    } catch (IOException | RuntimeException e) {
      caller.close();
      throw e;
    }
  }

  private Reply.Welcome introduce(AccessToken token, Identity identity) throws IOException {
    ownNonce = AccessToken.nonce();
    Reply.Challenge challenge =
        call(
            new Request.Hello(
                Request.VERSION,
                PoolDigest.of(identity.pool()),
                identity.client(),
                identity.server(),
                identity.incarnation(),
                ProcessIdentity.current(),
                ownNonce),
            Reply.Challenge.class);
    serversNonce = challenge.nonce();
    if (!token.verify(challenge.proof(), AccessToken.Side.SERVER, ownNonce, serversNonce)) {
      throw new AccessRefusedException(
          "Pool server " + server + " does not have this side's token. Give both the same token.");
    }
    return call(new Request.Proof(proof(token, AccessToken.Side.CLIENT)), Reply.Welcome.class);
  }

  /** Proves, on this connection, that one has a token. */
  public String proof(AccessToken token, AccessToken.Side side) {
    return token.proof(side, ownNonce, serversNonce);
  }

  /** The server. */
  public ServerAddress server() {
    return server;
  }

  /** What the server said when it let this side in. */
  public Reply.Welcome welcome() {
    return welcome;
  }

  /** The connection, for one-sided reads and writes. */
  public Connection connection() {
    return connection;
  }

  /** Whether calls can be made. */
  public boolean isOpen() {
    return ended == null && connection.isOpen();
  }

  /** Asks, and does not wait: the future completes with a reply that is no refusal, or fails. */
  public CompletableFuture<Reply> start(Request request) {
    CompletableFuture<Reply> answer = new CompletableFuture<>();
    long number = numbers.incrementAndGet();
    calls.put(number, answer);
    if (ended != null) {
      calls.remove(number);
      answer.completeExceptionally(gone(ended));
      return answer;
    }
    Messages.send(
        connection,
        number,
        Request.class,
        request,
        failure -> {
          if (failure != null) {
            calls.remove(number);
            answer.completeExceptionally(gone(failure));
          }
        });
    return answer;
  }

  /**
   * Asks as {@link #start}. A reply that has not come at the deadline ends the connection, as
   * nobody knows what the server still does for it.
   */
  public CompletableFuture<Reply> startWithinDeadline(Request request) {
    return start(request)
        .orTimeout(deadline.toNanos(), TimeUnit.NANOSECONDS)
        .whenComplete(
            (reply, failed) -> {
              if (failed instanceof TimeoutException) {
                close();
              }
            });
  }

  /** Asks, and waits for the answer. */
  public <T extends Reply> T call(Request request, Class<T> type) throws IOException {
    return await(start(request), type);
  }

  /**
   * Waits for an answer of {@link #start}.
   *
   * @throws ServerUnavailableException when it has not come at the deadline; the connection of
   *     another server is closed then, as nobody knows what it has done. That of a client stays:
   *     its heartbeats find out whether the server lives
   * @throws IOException when the server refused, or is gone
   */
  public <T extends Reply> T await(CompletableFuture<Reply> answer, Class<T> type)
      throws IOException {
    try {
      Reply reply = answer.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
      if (!type.isInstance(reply)) {
        throw new IOException("Pool server " + server + " answered with a wrong message.");
      }
      return type.cast(reply);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException("Pool server " + server + " cannot be asked.", e.getCause());
    } catch (TimeoutException e) {
      if (endsWhenSlow) {
        close();
      }
      throw new ServerUnavailableException(
          "Pool server " + server + " has not answered within " + deadline.toMillis() + " ms.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for pool server " + server, e);
    }
  }

  @Override
  public void onMessage(Connection from, ByteBuffer message) {
    try {
      messages.receive(message, this::answered);
    } catch (IOException e) {
      fail(e);
      from.close();
    }
  }

  private void answered(long number, ByteBuffer message) throws IOException {
    Reply reply = RecordCodec.decode(Reply.class, message);
    CompletableFuture<Reply> answer = calls.remove(number);
    if (answer == null) {
      return;
    }
    if (reply instanceof Reply.Refused refused) {
      answer.completeExceptionally(Refusal.exception(refused, server.toString()));
    } else {
      answer.complete(reply);
    }
  }

  @Override
  public void onClosed(Connection from, IOException cause) {
    fail(cause == null ? new IOException("the connection was closed") : cause);
    onClosed.run();
    closed.countDown();
  }

  private void fail(IOException cause) {
    ended = cause;
    for (Long number : List.copyOf(calls.keySet())) {
      CompletableFuture<Reply> answer = calls.remove(number);
      if (answer != null) {
        answer.completeExceptionally(gone(cause));
      }
    }
  }

  private ServerUnavailableException gone(IOException cause) {
    return new ServerUnavailableException(
        "Pool server " + server + " is gone: " + cause.getMessage(), cause);
  }

  /**
   * Ends the connection, and waits until no operation on it uses memory of this process.
   *
   * @throws IllegalStateException when that takes longer than the deadline
   */
  public void closeAndAwait() {
    close();
    try {
      if (!closed.await(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IllegalStateException(
            "the connection to pool server " + server + " did not end in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the connection has ended, and no operation on it is under way. */
  public boolean isOver() {
    return closed.getCount() == 0;
  }

  /** Ends the connection. */
  @Override
  public void close() {
    connection.close();
  }
}
