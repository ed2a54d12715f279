// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps what a connection brings, and sees that it is called as promised. */
public final class RecordingHandler implements MessageHandler {

  private final BlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger closings = new AtomicInteger();
  private volatile IOException cause;
  private volatile String offence;

  @Override
  public void onMessage(Connection connection, ByteBuffer message) {
    enter();
    byte[] bytes = new byte[message.remaining()];
    message.get(bytes);
    messages.add(bytes);
    inside.decrementAndGet();
  }

  @Override
  public void onClosed(Connection connection, IOException why) {
    enter();
    if (connection.isOpen()) {
      offence = "onClosed of a connection that is open";
    }
    cause = why;
    closings.incrementAndGet();
    inside.decrementAndGet();
  }

  private void enter() {
    if (inside.incrementAndGet() != 1) {
      offence = "called on two threads at a time";
    }
    if (closings.get() != 0) {
      offence = "called after onClosed";
    }
  }

  /** The next message. */
  public byte[] next() throws InterruptedException {
    byte[] message = messages.poll(Await.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    if (message == null) {
      throw new AssertionError("no message came" + (isClosed() ? "; closed: " + cause : ""));
    }
    return message;
  }

  /** Whether onClosed was called. */
  public boolean isClosed() {
    return closings.get() > 0;
  }

  /** What onClosed was told. */
  public IOException cause() {
    return cause;
  }

  /** Waits for onClosed. */
  public void awaitClosed() {
    Await.until("onClosed", this::isClosed);
  }

  /** Fails when a promise was broken. */
  public void verify() {
    if (offence != null) {
      throw new AssertionError(offence);
    }
  }
}
