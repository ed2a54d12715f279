// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static dev.anemone.rdma.pool.TestPool.PAGE;
import static dev.anemone.rdma.pool.TestPool.TOKEN;
import static dev.anemone.rdma.pool.TestPool.randomBytes;
import static dev.anemone.rdma.pool.TestPool.read;
import static dev.anemone.rdma.pool.TestPool.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tiers of files, which servers read and write by buffers. */
class FileTierTest {

  @TempDir private Path directory;

  @Test
  void nothingOfAFileIsMapped() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, TierOptions.file(directory, 8L * PAGE))) {
      PoolClient client = pool.client();
      write(client, "/object", Lifetime.LEASE, randomBytes(1, 3 * PAGE));

      assertThat(Files.readString(Path.of("/proc/self/maps"))).doesNotContain(directory.toString());
      assertThat(read(client, "/object")).isEqualTo(randomBytes(1, 3 * PAGE));
      assertThat(directory).as("a killed server leaves nothing").isEmptyDirectory();
    }
  }

  @Test
  void pagesLargerThanAMessageAreReadInPartsToo() throws IOException {
    int page = 4 << 20;
    ServerAddress address = TestPool.freeAddresses(1).get(0);
    PoolServerOptions options =
        new PoolServerOptions(
            address,
            List.of(address),
            List.of(TierOptions.file(directory, 4L * page)),
            page,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            TOKEN);
    try (Transport transport = new TcpTransportProvider().open();
        PoolServer server = PoolServer.start(transport, options);
        PoolClient client =
            PoolClient.connect(
                transport, PoolClientOptions.of(List.of(address), TOKEN).withBuffers(2))) {
      byte[] bytes = randomBytes(2, 2 * page + 12_345);
      write(client, "/object", Lifetime.LEASE, bytes);

      assertThat(read(client, "/object")).isEqualTo(bytes);
      ByteBuffer part = ByteBuffer.allocate(2 << 20);
      client.open(PoolPath.of("/object")).read(page - 777, part);
      assertThat(part.array())
          .isEqualTo(Arrays.copyOfRange(bytes, page - 777, page - 777 + (2 << 20)));
      assertThat(server.status().openBytes()).isZero();
    }
  }

  @Test
  void nobodyWritesAPageThatIsNotItsOwn() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, TierOptions.file(directory, 4L * PAGE));
        RawClient one = new RawClient(pool, 0);
        RawClient other = new RawClient(pool, 0)) {
      int page =
          one.caller()
              .call(new Request.Allocate(TierKind.FILE, TierKind.FILE), Reply.Allocated.class)
              .number();
      ByteBuffer bytes = ByteBuffer.wrap(new byte[10]);
      one.caller().call(new Request.WritePage(page, 0, bytes), Reply.Done.class);

      for (Request wrong :
          List.of(
              new Request.WritePage(page, 0, bytes),
              new Request.WritePage(-1, 0, bytes),
              new Request.ReadPage(99, 0, 1))) {
        assertThatThrownBy(() -> other.caller().call(wrong, Reply.class))
            .isInstanceOf(IOException.class);
      }
      for (Request wrong :
          List.of(
              new Request.WritePage(page, PAGE - 9, bytes),
              new Request.WritePage(page, -1, bytes),
              new Request.ReadPage(page, 1, PAGE),
              new Request.ReadPage(page, 0, -1))) {
        assertThatThrownBy(() -> one.caller().call(wrong, Reply.class))
            .isInstanceOf(IOException.class);
      }
      assertThat(one.isOpen() && other.isOpen()).isTrue();
    }
  }
}
