package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.Listener;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.openucx.jucx.ucp.UcpListener;

/** A listener of UCX's. */
final class UcxListener implements Listener {

  private final Engine engine;
  private final UcpListener listener;
  private final InetSocketAddress address;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** On the loop's thread. */
  UcxListener(Engine engine, UcpListener listener) {
    this.engine = engine;
    this.listener = listener;
    this.address = listener.getAddress();
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  /** Waits until the port is free again, unless it is called by a completion or a handler. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      engine.closeListener(listener);
    }
  }
}
