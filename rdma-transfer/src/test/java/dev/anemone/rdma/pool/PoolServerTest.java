// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.server.Admission;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.RecordingHandler;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers, and clients, that cannot begin. */
class PoolServerTest {

  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private static PoolServer start(
      Transport transport, List<ServerAddress> servers, int number, AccessToken token)
      throws IOException {
    return start(transport, servers, number, token, DEADLINE);
  }

  private static PoolServer start(
      Transport transport,
      List<ServerAddress> servers,
      int number,
      AccessToken token,
      Duration deadline)
      throws IOException {
    return PoolServer.start(
        transport,
        new PoolServerOptions(
            servers.get(number),
            servers,
            List.of(TierOptions.dram(TestPool.PAGE)),
            TestPool.PAGE,
            TestPool.LEASE,
            deadline,
            token));
  }

  @Test
  void aServerThatIsRefusedLeavesNothing() throws Exception {
    List<ServerAddress> servers = TestPool.freeAddresses(2);
    try (Transport other = new TcpTransportProvider().open();
        PoolServer there = start(other, servers, 0, TestPool.TOKEN);
        Transport transport = new TcpTransportProvider().open()) {
      assertThatThrownBy(() -> start(transport, servers, 1, AccessToken.of("another one")))
          .isInstanceOf(AccessRefusedException.class);
      transport
          .listen(servers.get(1).socketAddress(), connection -> new RecordingHandler())
          .close();
      there.status();
    }
  }

  @Test
  void aServerThatListensAndDoesNotAnswerIsNotTakenForDead() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Transport transport = new TcpTransportProvider().open()) {
      ServerAddress self = TestPool.freeAddresses(1).get(0);
      List<ServerAddress> servers =
          List.of(self, new ServerAddress(self.host(), silent.getLocalPort()));
      assertThatThrownBy(() -> start(transport, servers, 0, TestPool.TOKEN, Duration.ofMillis(100)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(servers.get(1).toString())
          .hasMessageContaining("start this one again")
          .hasMessageContaining("--absent=" + servers.get(1));
      silent.close();
      start(transport, servers, 0, TestPool.TOKEN, Duration.ofMillis(100)).close();
    }
  }

  private static PoolServerOptions options(List<ServerAddress> servers, Duration deadline) {
    return new PoolServerOptions(
        servers.get(0),
        servers,
        List.of(TierOptions.dram(TestPool.PAGE)),
        TestPool.PAGE,
        TestPool.LEASE,
        deadline,
        TestPool.TOKEN);
  }

  @Test
  void aServerThatCannotBeFoundIsNotTakenForDead() throws Exception {
    ServerAddress self = TestPool.freeAddresses(1).get(0);
    ServerAddress unknown = new ServerAddress("no-such-host.invalid", 7070);
    PoolServerOptions options = options(List.of(self, unknown), Duration.ofMillis(200));
    try (Transport transport = new TcpTransportProvider().open()) {
      assertThatThrownBy(() -> PoolServer.start(transport, options))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("--absent=" + unknown);
      PoolServer.start(transport, options.withAbsent(Set.of(unknown))).close();
    }
  }

  @Test
  void aServerThatNoPacketReachesIsNotTakenForDead() throws Exception {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Transport transport = new TcpTransportProvider().open()) {
      List<Socket> queue = new ArrayList<>();
      while (connect(full, queue)) {
        assertThat(queue).hasSizeLessThan(100);
      }
      ServerAddress self = TestPool.freeAddresses(1).get(0);
      ServerAddress other = new ServerAddress(self.host(), full.getLocalPort());
      List<ServerAddress> servers = ServerAddress.inOrder(List.of(self, other));
      assertThatThrownBy(
              () ->
                  start(
                      transport,
                      servers,
                      servers.indexOf(self),
                      TestPool.TOKEN,
                      Duration.ofMillis(100)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("--absent=" + other);
      for (Socket waiting : queue) {
        waiting.close();
      }
    }
  }

  /** Whether one more finds room in the queue of those who wait to be accepted. */
  private static boolean connect(ServerSocket full, List<Socket> queue) throws IOException {
    Socket socket = new Socket();
    queue.add(socket);
    try {
      socket.connect(full.getLocalSocketAddress(), 200);
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  @Test
  void onlyAnOperatorStopsAServer() throws Exception {
    AccessToken operator = AccessToken.of("of the operator");
    ServerAddress self = TestPool.freeAddresses(1).get(0);
    PoolServerOptions options = options(List.of(self), DEADLINE);
    Admission usual = Admission.usual();
    try (Transport transport = new TcpTransportProvider().open()) {
      try (PoolServer server = PoolServer.start(transport, options);
          PoolClient client =
              PoolClient.connect(transport, PoolClientOptions.of(List.of(self), TestPool.TOKEN))) {
        assertThatThrownBy(() -> client.stop(self, operator))
            .isInstanceOf(AccessRefusedException.class)
            .hasMessageContaining("--operator-token-file");
        server.status();
      }
      try (PoolServer server =
              PoolServer.start(
                  transport,
                  options.withAdmission(
                      new Admission(
                          usual.connections(), usual.handshake(), Optional.of(operator))));
          PoolClient client =
              PoolClient.connect(transport, PoolClientOptions.of(List.of(self), TestPool.TOKEN))) {
        assertThatThrownBy(() -> client.stop(self, TestPool.TOKEN))
            .isInstanceOf(AccessRefusedException.class)
            .hasMessageContaining("Only its operator");
        client.stop(self, operator);
        server.awaitStop();
      }
    }
  }

  /** A server closes all connections when it is told to stop, and that by another thread. */
  @RepeatedTest(20)
  void whoStopsAServerIsAnswered() throws Exception {
    AccessToken operator = AccessToken.of("of the operator");
    ServerAddress self = TestPool.freeAddresses(1).get(0);
    Admission usual = Admission.usual();
    Admission admission =
        new Admission(usual.connections(), usual.handshake(), Optional.of(operator));
    try (Transport transport = new TcpTransportProvider().open();
        PoolServer server =
            PoolServer.start(transport, options(List.of(self), DEADLINE).withAdmission(admission));
        PoolClient client =
            PoolClient.connect(transport, PoolClientOptions.of(List.of(self), TestPool.TOKEN))) {
      CompletableFuture<Void> ended =
          CompletableFuture.runAsync(
              () -> {
                try {
                  server.awaitStop();
                  server.close();
                } catch (IOException | InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      client.stop(self, operator);
      ended.get(20, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void whoSaysItIsAServerThatThereIsNotIsRefused(int number) throws Exception {
    try (TestPool pool = TestPool.ofServers(1, 1)) {
      Caller.Identity identity =
          new Caller.Identity(pool.addresses().toString(), UUID.randomUUID(), number, 1);
      assertThatThrownBy(
              () ->
                  Caller.connect(
                      pool.clientTransport(),
                      pool.addresses().get(0),
                      TestPool.TOKEN,
                      identity,
                      DEADLINE,
                      () -> {}))
          .isInstanceOf(AccessRefusedException.class)
          .hasMessageContaining("no other server");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE / TestPool.PAGE, Integer.MAX_VALUE})
  void aClientWithMoreBuffersThanThereIsMemoryIsRefused(int buffers) throws Exception {
    try (TestPool pool = TestPool.ofServers(1, 1)) {
      assertThatThrownBy(() -> pool.client(pool.options().withBuffers(buffers)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(buffers + " buffers");
    }
  }
}
