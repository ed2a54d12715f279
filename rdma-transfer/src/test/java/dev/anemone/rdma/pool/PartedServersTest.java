// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that live and have lost each other. */
class PartedServersTest {

  private static final Duration DEADLINE = Duration.ofSeconds(5);
  private static final int DIRECTORIES = 12;

  private static PoolServer start(Transport transport, List<ServerAddress> servers, int number)
      throws IOException {
    return PoolServer.start(
        transport,
        new PoolServerOptions(
            servers.get(number),
            servers,
            List.of(TierOptions.dram(4L * TestPool.PAGE)),
            TestPool.PAGE,
            TestPool.LEASE,
            DEADLINE,
            TestPool.TOKEN));
  }

  private static Caller caller(Transport transport, List<ServerAddress> servers, int number)
      throws IOException {
    return Caller.connect(
        transport,
        servers.get(number),
        TestPool.TOKEN,
        new Caller.Identity(servers.toString(), UUID.randomUUID(), Caller.Identity.CLIENT, 0),
        DEADLINE,
        () -> {});
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void oneOfTwoGoesOnAndTheOtherEnds() throws Exception {
    List<ServerAddress> servers = TestPool.freeAddresses(2);
    try (BreakableTransport first = BreakableTransport.open();
        BreakableTransport second = BreakableTransport.open();
        Transport clients = new TcpTransportProvider().open();
        PoolServer goesOn = start(first, servers, 0);
        PoolServer ends = start(second, servers, 1)) {
      try (PoolClient client =
          PoolClient.connect(clients, PoolClientOptions.of(servers, TestPool.TOKEN))) {
        for (int i = 0; i < DIRECTORIES; i++) {
          client.createDirectory(PoolPath.of("/d" + i));
        }
      }
      second.connections().forEach(Connection::close);

      assertThatThrownBy(ends::awaitStop)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(servers.get(0) + ", which lives");

      try (Caller alone = caller(clients, servers, 0);
          Caller fenced = caller(clients, servers, 1)) {
        for (int i = 0; i < DIRECTORIES; i++) {
          Request list = new Request.ListNames("/d" + i);
          assertThat(alone.call(list, Reply.Names.class).entries()).isEmpty();
          assertThatThrownBy(() -> fenced.call(list, Reply.Names.class))
              .isInstanceOfSatisfying(
                  RefusedException.class,
                  refused -> assertThat(refused.reason()).isEqualTo(Refusal.NOT_RESPONSIBLE));
        }
      }
      assertThat(goesOn.status().entries()).isEqualTo(DIRECTORIES);
    }
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void ofTwoThatBothReachAThirdTheLaterOneEnds() throws Exception {
    List<ServerAddress> servers = TestPool.freeAddresses(3);
    try (BreakableTransport last = BreakableTransport.open();
        Transport others = new TcpTransportProvider().open();
        PoolServer first = start(others, servers, 0);
        PoolServer second = start(others, servers, 1);
        PoolServer ends = start(last, servers, 2);
        PoolClient client =
            PoolClient.connect(others, PoolClientOptions.of(servers, TestPool.TOKEN))) {
      for (int i = 0; i < DIRECTORIES; i++) {
        client.createDirectory(PoolPath.of("/d" + i));
      }
      last.connections().stream()
          .filter(connection -> connection.remoteAddress().equals(servers.get(1).socketAddress()))
          .forEach(Connection::close);

      assertThatThrownBy(ends::awaitStop)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(servers.get(1) + ", and both are reached by " + servers.get(0));
      ends.close();
      for (int i = 0; i < DIRECTORIES; i++) {
        assertThat(client.list(PoolPath.of("/d" + i))).isEmpty();
      }
      assertThat(first.status().entries() + second.status().entries())
          .isBetween(DIRECTORIES, 2 * DIRECTORIES);
    }
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void ofServersThatHaveAllLostEachOtherTheFirstGoesOn() throws Exception {
    List<ServerAddress> servers = TestPool.freeAddresses(3);
    try (BreakableTransport transport = BreakableTransport.open();
        Transport clients = new TcpTransportProvider().open();
        PoolServer stays = start(transport, servers, 0);
        PoolServer second = start(transport, servers, 1);
        PoolServer third = start(transport, servers, 2);
        PoolClient client =
            PoolClient.connect(clients, PoolClientOptions.of(servers, TestPool.TOKEN))) {
      for (int i = 0; i < DIRECTORIES; i++) {
        client.createDirectory(PoolPath.of("/d" + i));
      }
      transport.connections().forEach(Connection::close);

      for (PoolServer ends : List.of(second, third)) {
        assertThatThrownBy(ends::awaitStop)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("it had lost ");
        ends.close();
      }
      // It looks again and again what has become of the others.
      try (Caller alone = caller(clients, servers, 0)) {
        while (!answersForSome(alone)) {
          Thread.onSpinWait();
        }
      }
      assertThat(stays.status().state()).isEqualTo(ServerStatus.State.OPEN);
    }
  }

  private static boolean answersForSome(Caller server) throws IOException {
    for (int i = 0; i < DIRECTORIES; i++) {
      try {
        return server.call(new Request.ListNames("/d" + i), Reply.Names.class).entries().isEmpty();
      } catch (RefusedException e) {
        assertThat(e.reason()).isEqualTo(Refusal.NOT_RESPONSIBLE);
      }
    }
    return false;
  }
}
