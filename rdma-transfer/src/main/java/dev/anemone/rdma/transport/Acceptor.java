// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

/** Takes the connections of a {@link Listener}. */
@FunctionalInterface
public interface Acceptor {

  /**
   * Called for each new connection, on a thread of the transport's, before its first message. Must
   * not wait. An exception that it throws is the end of the connection, of which nobody is told
   * then.
   *
   * @return what gets the connection's messages
   */
  MessageHandler accept(Connection connection);
}
