// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.Connection;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection whose HELLO has not come, and who wants it then. On the loop's thread only.
 *
 * @param connection the loop's side of it
 * @param taker told who it is, it sets where events go, or does not want it
 */
record Greeting(LoopConnection connection, Taker taker) {

  /** What becomes of a new connection: whether it is wanted. */
  @FunctionalInterface
  interface Taker {
    boolean take(LoopConnection connection);
  }

  /** How long one who has connected may take to say HELLO. */
  static final Duration DEADLINE = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(Greeting.class);

  /** The peer has said HELLO: if it is one of this transport's, it is welcome. */
  void hello(ByteBuffer body) {
    if (!connection.isGreeting()
        || body.remaining() < Frame.HELLO_BYTES
        || body.getLong() != Frame.MAGIC) {
      // Too late, or not of this transport: it gets no answer, and its time runs out.
      return;
    }
    long number = body.getLong();
    long deadlineMillis = body.getLong();
    if (deadlineMillis < 1 || deadlineMillis > Connection.LONGEST_DEADLINE.toMillis()) {
      connection.fail("the peer wants a deadline of " + deadlineMillis + " ms");
      return;
    }
    boolean wanted;
    try {
      wanted = taker.take(connection);
    } catch (RuntimeException e) {
      LOG.error("the connection of {} ends, since its acceptor failed", connection.peer(), e);
      connection.fail("the acceptor failed: " + e);
      return;
    }
    if (wanted) {
      connection.welcome(number, deadlineMillis);
    } else {
      connection.refuse(number);
    }
  }
}
