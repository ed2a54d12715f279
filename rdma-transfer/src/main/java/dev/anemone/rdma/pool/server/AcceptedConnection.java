// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.AccessRefusedException;
import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.protocol.PoolDigest;
import dev.anemone.rdma.pool.protocol.ProcessIdentity;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.Responder;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MessageHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;

/**
 * One connection to a server: a client's, or another server's. Nothing but the proof of the token
 * is answered before it has been given.
 *
 * <p>A connection that breaks does not end a client's lease: the client has as long as the lease to
 * come back, after which the {@link LeaseKeeper} ends it.
 *
 * <p>Pages that a client writes belong to its connection, and become free only when the connection
 * has ended and neither the transport nor the client itself carries out any more writes ({@link
 * Quarantine}): a client that was taken for dead cannot write into what is somebody else's by now.
 */
final class AcceptedConnection implements MessageHandler {

  /** The number with which clients say hello. */
  private static final int CLIENT = -1;

  /** Two are needed. Who asks for more is not listened to, as its answers would fill the memory. */
  private static final int MOST_REQUESTS_OF_STRANGERS = 8;

  private final Services services;
  private final Responder responder;
  private final FileWrites fileWrites = new FileWrites();
  private final long acceptedNanos = System.nanoTime();
  private volatile long heardNanos = System.nanoTime();
  private Request.Hello hello;
  private String nonce = "";
  private int requestsBefore;
  private volatile boolean admitted;

  /** Whether the lease ends with the connection, and not only if the client does not come back. */
  private volatile boolean leaseOver;

  /** A connection that was accepted. */
  AcceptedConnection(Services services, Connection connection) {
    this.services = services;
    this.responder = new Responder(connection);
  }

  @Override
  public void onMessage(Connection connection, ByteBuffer message) {
    heardNanos = System.nanoTime();
    responder.receive(message, this::handle);
  }

  private void handle(long call, Request request) {
    if (admitted) {
      services.dispatcher().handle(this, call, request);
    } else if (++requestsBefore > MOST_REQUESTS_OF_STRANGERS) {
      responder.close();
    } else {
      try {
        responder.reply(call, introduce(request));
      } catch (AccessRefusedException e) {
        responder.reply(call, Refusal.reply(e));
      }
    }
  }

  private Reply introduce(Request request) throws AccessRefusedException {
    if (request instanceof Request.Hello asked && hello == null) {
      if (asked.version() != Request.VERSION) {
        throw new AccessRefusedException(
            "It speaks version " + Request.VERSION + " of the protocol, you " + asked.version());
      }
      if (!asked.pool().equals(PoolDigest.of(services.poolName()))) {
        throw new AccessRefusedException(
            "Its pool is "
                + services.poolName()
                + ", yours is another one. Name the same servers everywhere.");
      }
      if (asked.server() != CLIENT && !services.peers().isOther(asked.server())) {
        throw new AccessRefusedException(
            "Its pool has no other server of number " + asked.server());
      }
      hello = asked;
      nonce = AccessToken.nonce();
      String proof = services.token().proof(AccessToken.Side.SERVER, asked.nonce(), nonce);
      return new Reply.Challenge(nonce, proof);
    }
    if (request instanceof Request.Proof given && hello != null) {
      if (!services.token().verify(given.proof(), AccessToken.Side.CLIENT, hello.nonce(), nonce)) {
        throw new AccessRefusedException("Your token is not the pool's.");
      }
      responder.admit();
      admitted = true;
      if (!isPeer()) {
        services.connections().admitted(hello.client());
        services.quarantine().returned(hello.client(), hello.process());
      }
      return services.welcome().get();
    }
    throw new AccessRefusedException("Nothing is answered before the token has been proved.");
  }

  /**
   * Fails unless the other side has proved that it may give orders.
   *
   * @throws AccessRefusedException with what it would need
   */
  void requireOperator(String proof) throws AccessRefusedException {
    if (services.operator().isEmpty()) {
      throw new AccessRefusedException(
          "It was started without an operator's token, so that nobody can stop it over the"
              + " network: end its process, or start it with --operator-token-file.");
    }
    AccessToken operator = services.operator().get();
    if (!operator.verify(proof, AccessToken.Side.OPERATOR, hello.nonce(), nonce)) {
      throw new AccessRefusedException(
          "Only its operator may stop it: give the operator's token, not that of clients.");
    }
  }

  /** Answers a request. */
  void reply(long call, Reply reply) {
    responder.reply(call, reply);
  }

  /** Answers a request; runs something when the answer is on its way, or nobody waits for it. */
  void reply(long call, Reply reply, Runnable whenSent) {
    responder.reply(call, reply, whenSent);
  }

  /** Bytes that a message of its transport holds. */
  int messageBytes() {
    return responder.messageBytes();
  }

  /** Whether it is another server's. */
  boolean isPeer() {
    return hello != null && hello.server() != CLIENT;
  }

  /** The number of the other server. */
  int server() {
    return hello.server();
  }

  /** Whether it was let in, for the same client in the same process as another one. */
  boolean isOfSameClient(AcceptedConnection other) {
    return admitted && isOf(other.hello.client(), other.hello.process());
  }

  /** Whether that client in that process said hello on it. */
  boolean isOf(UUID client, ProcessIdentity process) {
    return hello.client().equals(client) && hello.process().equals(process);
  }

  /** The process that is connected. */
  ProcessIdentity process() {
    return hello.process();
  }

  /** The incarnation of the other server. */
  long incarnation() {
    return hello.incarnation();
  }

  /**
   * Ends it when nothing has been heard of a client for so long, or a stranger has not proved who
   * it is.
   */
  void closeIfOverdue(Duration lease, Duration handshake) {
    long now = System.nanoTime();
    boolean overdue =
        admitted
            ? !isPeer() && now - heardNanos > lease.toNanos()
            : now - acceptedNanos > handshake.toNanos();
    if (overdue) {
      leaseOver = true;
      responder.close();
    }
  }

  /** The client will not come back. */
  void leave() {
    leaseOver = true;
  }

  /** Ends it. */
  void close() {
    responder.close();
  }

  /** Its writes into files that have been asked for and have not ended. */
  FileWrites fileWrites() {
    return fileWrites;
  }

  private void giveUpPages(boolean mayWrite) {
    if (mayWrite) {
      services.quarantine().add(this);
    } else {
      services.pages().releaseAll(this);
    }
  }

  @Override
  public void onClosed(Connection connection, IOException cause) {
    services.connections().remove(this);
    boolean mayWrite = admitted && connection.peerMayWrite();
    fileWrites.close(() -> giveUpPages(mayWrite));
    if (!admitted) {
      return;
    }
    if (isPeer()) {
      services.peers().lost(hello.server(), hello.incarnation());
    } else if (services.connections().left(hello.client()) && leaseOver) {
      services.dispatcher().clientGone(hello.client());
    }
  }
}
