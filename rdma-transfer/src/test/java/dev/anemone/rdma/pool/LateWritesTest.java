// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.pool.client.ObjectReader;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.Await;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Outcomes;
import dev.anemone.rdma.transport.RemoteRegion;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportProvider;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.rdma.ucx.UcxTransportProvider;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that are stopped while they write, whose lease ends, and that go on when others have
 * their pages. Over ucx on one machine they copy into the server's memory themselves.
 */
@Tag("slow")
class LateWritesTest {

  private static final int PAGE = 16 << 20;
  private static final int PAGES = 4;
  private static final int ROUNDS = 4;
  private static final Duration LEASE = Duration.ofMillis(500);
  private static final PoolPath OBJECT = PoolPath.of("/refilled");
  private static final byte LATE = 1;

  @ParameterizedTest
  @ValueSource(classes = {TcpTransportProvider.class, UcxTransportProvider.class})
  void whatAStoppedClientWritesLateIsInNobodysObject(Class<? extends TransportProvider> provider)
      throws Exception {
    ServerAddress address = TestPool.freeAddresses(1).get(0);
    try (Transport transport = open(provider);
        PoolServer server = PoolServer.start(transport, options(address));
        PoolClient client =
            PoolClient.connect(
                transport, PoolClientOptions.of(List.of(address), TestPool.TOKEN).withBuffers(1));
        PoolProcess process =
            PoolProcess.start(Writer.class, provider.getName(), address.toString())) {
      process.awaitReady();
      for (int round = 0; round < ROUNDS; round++) {
        Await.until("the other client writes", () -> server.status().openBytes() > 0);
        process.stop();
        Await.until("its lease is over", () -> server.status().clients() == 1);

        int length = refill(server, client);
        process.goOn();
        Await.until("it is back", () -> server.status().clients() == 2);

        assertThat(lateBytes(client.open(OBJECT), length)).isZero();
        client.delete(OBJECT);
      }
      process.stop();
      Await.until("its lease is over", () -> server.status().clients() == 1);
      process.kill();
      Await.until("what it had is free", () -> server.status().usedBytes() == 0);
    }
  }

  private static Transport open(Class<? extends TransportProvider> provider) throws Exception {
    try {
      return provider.getConstructor().newInstance().open();
    } catch (TransportUnavailableException e) {
      throw Requirement.UCX.missing(e.getMessage());
    }
  }

  private static PoolServerOptions options(ServerAddress address) {
    return new PoolServerOptions(
        address,
        List.of(address),
        List.of(TierOptions.dram((long) PAGES * PAGE)),
        PAGE,
        LEASE,
        Duration.ofSeconds(10),
        TestPool.TOKEN);
  }

  /** Fills all that is free with zeros. */
  private static int refill(PoolServer server, PoolClient client) throws IOException {
    long free = server.status().capacityBytes() - server.status().usedBytes();
    ByteBuffer zeros = ByteBuffer.allocateDirect(PAGE);
    try (var writer = client.create(OBJECT, Lifetime.POOL)) {
      for (long left = free; left > 0; left -= PAGE) {
        writer.write(zeros.clear());
      }
      writer.commit();
    }
    return Math.toIntExact(free);
  }

  /** Bytes of the other client, in ranges, whose readers look at the pages' generations alone. */
  private static int lateBytes(ObjectReader reader, int length) throws IOException {
    ByteBuffer half = ByteBuffer.allocateDirect(PAGE / 2);
    int late = 0;
    for (int position = 0; position < length; position += half.capacity()) {
      assertThat(reader.read(position, half.clear())).isEqualTo(half.capacity());
      for (int i = 0; i < half.capacity(); i++) {
        late += half.get(i);
      }
    }
    return late;
  }

  /** The process: does nothing but write a page of the pool's, and keep its lease. */
  static final class Writer {

    private static final int WRITES_IN_A_HEARTBEAT = 8;

    private Writer() {}

    public static void main(String[] args) throws Exception {
      TransportProvider provider =
          Class.forName(args[0])
              .asSubclass(TransportProvider.class)
              .getDeclaredConstructor()
              .newInstance();
      List<ServerAddress> servers = ServerAddress.parseList(args[1]);
      UUID client = UUID.randomUUID();
      Caller.Identity identity = new Caller.Identity(servers.toString(), client, -1, 0);
      try (Transport transport = provider.open();
          MemoryRegion region = transport.register(ByteBuffer.allocateDirect(PAGE))) {
        for (int i = 0; i < PAGE; i++) {
          region.memory().put(i, LATE);
        }
        System.out.println("ready");
        while (true) {
          Caller caller =
              Caller.connect(
                  transport,
                  servers.get(0),
                  TestPool.TOKEN,
                  identity,
                  Duration.ofSeconds(10),
                  () -> {});
          writeUntilItsEnd(caller, region);
          caller.closeAndAwait();
        }
      }
    }

    private static void writeUntilItsEnd(Caller caller, MemoryRegion region) {
      try {
        long page =
            caller
                .call(new Request.Allocate(TierKind.DRAM, TierKind.FILE), Reply.Allocated.class)
                .number();
        RemoteRegion remote = caller.welcome().regions().get(0).remote();
        while (caller.isOpen()) {
          for (int i = 0; i < WRITES_IN_A_HEARTBEAT; i++) {
            Outcomes outcomes = new Outcomes();
            caller.connection().write(region, 0, PAGE, remote, page * PAGE, outcomes);
            outcomes.awaitEnded(1);
          }
          caller.call(new Request.Heartbeat(0), Reply.Renewed.class);
        }
      } catch (IOException e) {
        // Its lease was over, or the pool is full: that is what this test is about.
        LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
      }
    }
  }
}
