// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MessageHandler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A connection that waits for the peer's answer. The loop's side sees to its deadline; its later
 * events go to the user's side.
 */
final class Connecting implements ConnectionEvents {

  private final MessageHandler handler;
  private final CountDownLatch over = new CountDownLatch(1);
  private UcxConnection connection;
  private boolean open;
  private IOException failure;

  Connecting(MessageHandler handler) {
    this.handler = handler;
  }

  /** On the loop's thread. */
  UcxConnection begin(LoopTransport transport, InetSocketAddress address, Duration deadline)
      throws IOException {
    connection = new UcxConnection(transport.connect(address, deadline, this), transport.regions());
    connection.setHandler(handler);
    return connection;
  }

  /** Waits until there is an answer, or there will be none. */
  Connection await() throws IOException {
    try {
      over.await();
    } catch (InterruptedException e) {
      connection.close();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while connecting");
    }
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
    return connection;
  }

  @Override
  public void opened() {
    open = true;
    over.countDown();
  }

  @Override
  public void message(ByteBuffer message) {
    connection.message(message);
  }

  @Override
  public void closed(IOException cause) {
    if (open) {
      connection.closed(cause);
    } else {
      failure = cause;
      over.countDown();
    }
  }
}
