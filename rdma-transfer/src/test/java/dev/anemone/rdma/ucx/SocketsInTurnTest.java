// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.RecordingHandler;
import dev.anemone.rdma.transport.TestPeer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** UCX before 1.18 may end the process where it closes sockets while it opens others. */
@ExtendWith(RequiresUcx.class)
class SocketsInTurnTest {

  private static final Duration DEADLINE = Duration.ofSeconds(2);

  private final UcxTransportProvider provider = new UcxTransportProvider();
  private final RecordingHandler handler = new RecordingHandler();

  @Test
  void aConnectionIsClosedWhenOthersHaveHadTimeToBeMade() throws Exception {
    try (TestPeer here = new TestPeer(provider, 1, RecordingHandler::new);
        TestPeer there = new TestPeer(provider, 1, RecordingHandler::new);
        ServerSocket silent = new ServerSocket(0, 1, TestPeer.freePort().getAddress())) {
      Connection connection = here.connectTo(there, handler);
      there.accepted(0);
      InetSocketAddress nobody =
          new InetSocketAddress(silent.getInetAddress(), silent.getLocalPort());
      long began = System.nanoTime();
      CompletableFuture<Connection> connecting =
          CompletableFuture.supplyAsync(() -> connect(here, nobody));
      try (Socket underWay = silent.accept()) {
        connection.close();
        handler.awaitClosed();
        assertThat(System.nanoTime() - began)
            .isGreaterThanOrEqualTo(LoopConnection.HANDSHAKE_NANOS);
        assertThatThrownBy(() -> connecting.get(1, TimeUnit.MINUTES))
            .hasStackTraceContaining("no answer within " + DEADLINE.toMillis() + " ms");
        assertThat(underWay.isConnected()).isTrue();
      }
    }
  }

  private Connection connect(TestPeer here, InetSocketAddress address) {
    try {
      return here.transport().connect(address, new RecordingHandler(), DEADLINE);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
