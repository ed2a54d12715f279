// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.AccessRefusedException;
import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.Responder;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MessageHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * One connection to a server: a client's lease on it, or another server's. Nothing but the proof of
 * the token is answered before it has been given.
 *
 * <p>Pages that a client writes belong to its connection, and become free only when the connection
 * has ended and the transport carries out no more writes of it: a client that was taken for dead
 * cannot write into what is somebody else's by now.
 */
final class AcceptedConnection implements MessageHandler {

  /** The number with which clients say hello. */
  private static final int CLIENT = -1;

  private final Services services;
  private final Responder responder;
  private volatile long heardNanos = System.nanoTime();
  private Request.Hello hello;
  private String nonce = "";
  private boolean admitted;

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
      if (!asked.pool().equals(services.poolName())) {
        throw new AccessRefusedException(
            "Its pool is "
                + services.poolName()
                + ", yours is "
                + asked.pool()
                + ". Name the same servers everywhere.");
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
      admitted = true;
      if (!isPeer()) {
        services.connections().admitted(hello.client());
      }
      return services.welcome().get();
    }
    throw new AccessRefusedException("Nothing is answered before the token has been proved.");
  }

  /** Answers a request. */
  void reply(long call, Reply reply) {
    responder.reply(call, reply);
  }

  /** Whether it is another server's. */
  boolean isPeer() {
    return hello != null && hello.server() != CLIENT;
  }

  /** The number of the other server. */
  int server() {
    return hello.server();
  }

  /** The incarnation of the other server. */
  long incarnation() {
    return hello.incarnation();
  }

  /** Ends it when nothing has been heard of a client for so long. */
  void closeIfSilent(Duration lease) {
    if (!(admitted && isPeer()) && System.nanoTime() - heardNanos > lease.toNanos()) {
      responder.close();
    }
  }

  /** Ends it. */
  void close() {
    responder.close();
  }

  @Override
  public void onClosed(Connection connection, IOException cause) {
    services.pages().releaseAll(this);
    services.connections().remove(this);
    if (!admitted) {
      return;
    }
    if (isPeer()) {
      services.peers().lost(hello.server(), hello.incarnation());
    } else if (services.connections().left(hello.client())) {
      services.dispatcher().clientGone(hello.client());
    }
  }
}
