package dev.anemone.rdma.transport;

/** Takes the connections of a {@link Listener}. */
@FunctionalInterface
public interface Acceptor {

  /**
   * Called for each new connection, on a thread of the transport's, before its first message. Must
   * not wait.
   *
   * @return what gets the connection's messages
   */
  MessageHandler accept(Connection connection);
}
