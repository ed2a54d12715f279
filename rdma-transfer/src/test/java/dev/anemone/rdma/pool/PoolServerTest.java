// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.pool.server.TierOptions;
import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.RecordingHandler;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
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
          .hasMessageContaining("start this one again");
      silent.close();
      start(transport, servers, 0, TestPool.TOKEN, Duration.ofMillis(100)).close();
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
