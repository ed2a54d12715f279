// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.transport.Listener;
import dev.anemone.rdma.transport.RecordingHandler;
import dev.anemone.rdma.transport.TestPeer;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Clients of a listener that is closed, as those of a server that has stopped in a process that
 * goes on. UCX before 1.18 ended the process for them, when it rejected one while it took the next.
 */
@ExtendWith(RequiresUcx.class)
class RetiredListenerTest {

  private static final int CLIENTS = 4;
  private static final int CONNECTIONS = 100;

  private final UcxTransportProvider provider = new UcxTransportProvider();

  @Test
  void whoConnectsIsToldThatNobodyListens() throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try (TestPeer here = new TestPeer(provider, 1, RecordingHandler::new)) {
      InetSocketAddress address = here.address();
      here.listener().close();
      Callable<Void> client = () -> connect(address);
      for (Future<Void> each :
          clients.invokeAll(Collections.nCopies(CLIENTS, client), 1, TimeUnit.MINUTES)) {
        each.get();
      }
    } finally {
      clients.shutdownNow();
    }
  }

  @Test
  void whoSaysHelloWhenItIsClosedIsNotAccepted() throws Exception {
    ExecutorService client = Executors.newSingleThreadExecutor();
    try (Transport there = provider.open();
        Transport here = provider.open()) {
      for (int i = 0; i < CONNECTIONS; i++) {
        AtomicBoolean closed = new AtomicBoolean();
        AtomicBoolean late = new AtomicBoolean();
        Listener listener =
            there.listen(
                TestPeer.freePort(),
                connection -> {
                  late.compareAndSet(false, closed.get());
                  return new RecordingHandler();
                });
        Future<Boolean> connecting = client.submit(() -> isAccepted(here, listener.address()));
        // Somewhere in what a connection takes.
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50L * i));
        listener.close();
        closed.set(true);
        connecting.get(1, TimeUnit.MINUTES);
        assertThat(late).isFalse();
      }
    } finally {
      client.shutdownNow();
    }
  }

  private static boolean isAccepted(Transport transport, InetSocketAddress address) {
    try {
      transport.connect(address, new RecordingHandler(), TestPeer.DEADLINE).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private Void connect(InetSocketAddress address) throws IOException {
    try (Transport transport = provider.open()) {
      for (int i = 0; i < CONNECTIONS; i++) {
        assertThatThrownBy(
                () -> transport.connect(address, new RecordingHandler(), TestPeer.DEADLINE))
            .hasMessageContaining("nobody listens");
      }
    }
    return null;
  }
}
