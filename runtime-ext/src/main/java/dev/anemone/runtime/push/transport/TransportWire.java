// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.transport;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.PushListener;
import dev.anemone.runtime.push.PushReceiver;
import dev.anemone.runtime.push.PushSender;
import dev.anemone.runtime.push.PushWire;
import dev.anemone.runtime.push.SenderConnection;
import dev.anemone.runtime.push.SenderEvent;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/**
 * A transport of one-sided operations: the network moves bytes from page to page, and no bytes of a
 * batch are copied in between where it can do that.
 */
public final class TransportWire implements PushWire {

  private final Transport transport;
  private final RegisteredPages pages;

  /** Connecting waits, and senders must not. */
  private final ExecutorService connectors =
      Executors.newCachedThreadPool(new DefaultThreadFactory("anemone-push-connect", true));

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          new DefaultThreadFactory("anemone-push-timer", true));

  /**
   * A wire.
   *
   * @param transport is closed with the wire
   * @param pool where all pages of its senders and receivers are from; takes its memory from the
   *     transport until the wire is closed
   */
  public TransportWire(Transport transport, PagePool pool) {
    this.transport = transport;
    this.pages = RegisteredPages.of(transport, pool);
  }

  @Override
  public String name() {
    return transport.name();
  }

  /** What it moves bytes by; open as long as the wire. */
  public Transport transport() {
    return transport;
  }

  RegisteredPages pages() {
    return pages;
  }

  /** For deadlines; its tasks must not wait. */
  ScheduledExecutorService timer() {
    return timer;
  }

  @Override
  public PushListener listen(InetAddress bind, PushReceiver receiver) throws IOException {
    return TransportListener.open(this, bind, receiver);
  }

  @Override
  public SenderConnection connect(
      int target,
      PushAddress address,
      SenderHandshake handshake,
      PushSender.Settings settings,
      Consumer<SenderEvent> events) {
    TransportSenderConnection connection =
        new TransportSenderConnection(this, target, handshake, settings, events);
    connectors.execute(() -> connection.connect(address));
    return connection;
  }

  @Override
  public void close() {
    connectors.shutdown();
    timer.shutdownNow();
    try (transport) {
      pages.close();
    }
  }
}
