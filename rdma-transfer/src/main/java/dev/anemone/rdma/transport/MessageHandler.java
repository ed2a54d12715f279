// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Gets what a peer sends. Called on a thread of the transport's, for one connection never on two at
 * a time. Must not wait: who has to wait hands over to a thread of their own. An exception that it
 * throws is the end of the connection.
 */
public interface MessageHandler {

  /**
   * A message came, in the order of sending.
   *
   * @param message its bytes, from position to limit; valid until this method returns
   */
  void onMessage(Connection connection, ByteBuffer message);

  /**
   * The connection has ended; called once, as the last, and after all operations on it have
   * completed.
   *
   * @param cause why, or null when one of the two sides closed it
   */
  void onClosed(Connection connection, IOException cause);
}
