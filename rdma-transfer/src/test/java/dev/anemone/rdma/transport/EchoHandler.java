// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Sends each message back, from within its arrival. */
final class EchoHandler implements MessageHandler {

  private final Outcomes outcomes = new Outcomes();

  @Override
  public void onMessage(Connection connection, ByteBuffer message) {
    connection.send(message, outcomes);
  }

  @Override
  public void onClosed(Connection connection, IOException cause) {
    // The test at the other end sees the end of the connection itself.
  }
}
