// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.server.Admission;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.Await;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.RecordingHandler;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What somebody costs a server who connects and has no token. */
class StrangersTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration HANDSHAKE = Duration.ofMillis(500);
  private static final int CONNECTIONS = 3;
  private static final int HEADER_BYTES = 9;

  private Transport transport;
  private ServerAddress address;
  private PoolServer server;

  @BeforeEach
  void start() throws IOException {
    transport = new TcpTransportProvider().open();
    address = TestPool.freeAddresses(1).get(0);
    PoolServerOptions options =
        new PoolServerOptions(
            address,
            List.of(address),
            List.of(TierOptions.dram(TestPool.PAGE)),
            TestPool.PAGE,
            PATIENCE,
            PATIENCE,
            TestPool.TOKEN);
    server =
        PoolServer.start(
            transport,
            options.withAdmission(new Admission(CONNECTIONS, HANDSHAKE, Optional.empty())));
  }

  @AfterEach
  void stop() {
    server.close();
    transport.close();
  }

  private Connection connect() throws IOException {
    return transport.connect(address.socketAddress(), new RecordingHandler(), PATIENCE);
  }

  private static void sendPiece(Connection connection, int bytes) {
    ByteBuffer piece = ByteBuffer.allocate(HEADER_BYTES + bytes).putLong(1).put((byte) 1);
    connection.send(piece.clear(), failure -> {});
  }

  @Test
  void aLongMessageIsNotGathered() throws IOException {
    Connection stranger = connect();
    for (int i = 0; i < 3; i++) {
      sendPiece(stranger, 1 << 10);
    }
    assertThat(stranger.isOpen()).isTrue();

    sendPiece(stranger, 1 << 10);

    long begin = System.nanoTime();
    Await.until("it is hung up on", () -> !stranger.isOpen());
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(HANDSHAKE);
  }

  @Test
  void whoGoesOnSpeakingIsNotListenedToForLong() throws IOException {
    Connection stranger = connect();
    int[] pieces = new int[1];

    Await.until(
        "it is hung up on",
        () -> {
          if (pieces[0] < 2_000) {
            sendPiece(stranger, 1);
            pieces[0]++;
          }
          return !stranger.isOpen();
        });

    assertThat(pieces[0]).as("pieces until the deadline").isGreaterThan(10).isLessThan(2_000);
  }

  @Test
  void thereAreNoMoreConnectionsThanMayBe() throws IOException {
    Connection[] strangers = new Connection[CONNECTIONS];
    for (int i = 0; i < CONNECTIONS; i++) {
      strangers[i] = connect();
    }
    Connection last = connect();
    Await.until("the last one is turned away", () -> !last.isOpen());
    assertThat(strangers).allMatch(Connection::isOpen);
    for (Connection stranger : strangers) {
      stranger.close();
    }

    Await.until("there is room", this::canConnect);
  }

  private boolean canConnect() {
    PoolClientOptions options = PoolClientOptions.of(List.of(address), TestPool.TOKEN);
    try (PoolClient client = PoolClient.connect(transport, options)) {
      return client.pageBytes() == TestPool.PAGE;
    } catch (ServerUnavailableException e) {
      return false;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anAdmissionOfNobodyIsRefused() {
    assertThatThrownBy(() -> new Admission(0, HANDSHAKE, Optional.empty()))
        .hasMessageContaining("0 connections");
    assertThatThrownBy(() -> new Admission(1, Duration.ZERO, Optional.empty()))
        .hasMessageContaining("handshake");
  }
}
