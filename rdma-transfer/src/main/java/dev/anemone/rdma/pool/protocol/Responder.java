// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import dev.anemone.rdma.transport.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The server's side of one connection: reads requests, writes replies. Replies can be sent by any
 * thread, in any order.
 */
public final class Responder {

  private final Connection connection;
  private final Messages messages = new Messages(Messages.MAX_BYTES_OF_STRANGERS);

  /** Gets requests. */
  @FunctionalInterface
  public interface Handler {
    /** A request came; its reply has this number. */
    void handle(long call, Request request) throws IOException;
  }

  /** For a connection that was accepted, of whom nobody knows. */
  public Responder(Connection connection) {
    this.connection = connection;
  }

  /** Takes a message of the transport; closes the connection when it is none of the pool's. */
  public void receive(ByteBuffer message, Handler handler) {
    try {
      messages.receive(
          message, (call, bytes) -> handler.handle(call, RecordCodec.decode(Request.class, bytes)));
    } catch (IOException e) {
      // Who speaks another protocol would not understand an answer.
      connection.close();
    }
  }

  /**
   * The other side has proved who it is: its requests may be long. To be called by the handler of a
   * request.
   */
  public void admit() {
    messages.allow(Messages.MAX_BYTES);
  }

  /** Answers. A failure is the end of the connection, of which the handler is told. */
  public void reply(long call, Reply reply) {
    reply(call, reply, () -> {});
  }

  /**
   * Answers.
   *
   * @param whenSent is run when the reply has been sent, or the connection has ended before
   */
  public void reply(long call, Reply reply, Runnable whenSent) {
    Messages.send(connection, call, Reply.class, reply, failure -> whenSent.run());
  }

  /** Bytes that a message of the transport holds. */
  public int messageBytes() {
    return connection.maxMessageBytes();
  }

  /** Ends the connection. */
  public void close() {
    connection.close();
  }
}
