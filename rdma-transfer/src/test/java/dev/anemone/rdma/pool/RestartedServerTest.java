// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static dev.anemone.rdma.pool.TestPool.PAGE;
import static dev.anemone.rdma.pool.TestPool.TOKEN;
import static dev.anemone.rdma.pool.TestPool.randomBytes;
import static dev.anemone.rdma.pool.TestPool.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.ObjectSettings;
import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.ForwardingTransport;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with kept persistent memory that ends, or is killed, and is started again. */
@Tag("slow")
class RestartedServerTest {

  private static final int PAGES = 40;

  @TempDir private Path directory;
  private ServerAddress address;

  @BeforeEach
  void choosePort() throws IOException {
    address = TestPool.freeAddresses(1).get(0);
  }

  private static PoolServerOptions options(ServerAddress address, Path directory, int pages) {
    return new PoolServerOptions(
        address,
        List.of(address),
        List.of(
            TierOptions.pmem(directory, (long) pages * PAGE).kept(), TierOptions.dram(8L * PAGE)),
        PAGE,
        Duration.ofSeconds(10),
        Duration.ofSeconds(10),
        TOKEN);
  }

  /** What is done while a server runs. */
  @FunctionalInterface
  private interface Use {
    void with(PoolServer server, PoolClient client) throws Exception;
  }

  private void run(Use use) throws Exception {
    try (Transport transport = TestPool.openTransport();
        PoolServer server = PoolServer.start(transport, options(address, directory, PAGES));
        PoolClient client = connect(transport)) {
      use.with(server, client);
    }
  }

  /** As {@link #run}, with a server whose network takes no memory of files. */
  private void runUnregistered(Use use) throws Exception {
    try (Transport opened = TestPool.openTransport();
        Transport others = TestPool.openTransport();
        PoolServer server =
            PoolServer.start(new WithoutFiles(opened), options(address, directory, PAGES));
        PoolClient client = connect(others)) {
      use.with(server, client);
    }
  }

  /** As RDMA is where files are on a DAX file system: it registers what it has allocated. */
  private static final class WithoutFiles extends ForwardingTransport {
    WithoutFiles(Transport transport) {
      super(transport);
    }

    @Override
    public MemoryRegion register(ByteBuffer memory) throws IOException {
      throw new IOException("memory of files cannot be pinned");
    }
  }

  private PoolClient connect(Transport transport) throws IOException {
    return PoolClient.connect(transport, PoolClientOptions.of(List.of(address), TOKEN));
  }

  private static void write(PoolClient client, String path, byte[] bytes) throws IOException {
    commit(client, path, ObjectSettings.of(Lifetime.POOL).withTier(TierKind.PMEM), bytes);
  }

  private static void commit(PoolClient client, String path, ObjectSettings settings, byte[] bytes)
      throws IOException {
    try (ObjectWriter writer = client.create(PoolPath.of(path), settings)) {
      writer.write(ByteBuffer.wrap(bytes));
      writer.commit();
    }
  }

  @Test
  void whatBelongsToThePoolIsThereAgain() throws Exception {
    run(
        (server, client) -> {
          client.createDirectory(PoolPath.of("/a"));
          client.createDirectory(PoolPath.of("/a/b"));
          write(client, "/a/b/large", randomBytes(1, 7 * PAGE + 5));
          write(client, "/a/empty", new byte[0]);
          write(client, "/a/deleted", randomBytes(2, 3 * PAGE));
          commit(client, "/a/leased", ObjectSettings.of(Lifetime.LEASE), randomBytes(3, PAGE));
          commit(client, "/a/dram", ObjectSettings.of(Lifetime.POOL), randomBytes(4, PAGE));
          client.delete(PoolPath.of("/a/deleted"));
        });
    for (int again = 0; again < 2; again++) {
      run(
          (server, client) -> {
            assertThat(server.keptObjects()).isEqualTo(2);
            assertThat(server.lostObjects()).isEmpty();
            assertThat(server.status().usedBytes()).isEqualTo(8 * PAGE);
            assertThat(read(client, "/a/b/large")).isEqualTo(randomBytes(1, 7 * PAGE + 5));
            assertThat(read(client, "/a/empty")).isEmpty();
            for (String gone : List.of("/a/deleted", "/a/leased", "/a/dram")) {
              assertThatThrownBy(() -> client.open(PoolPath.of(gone)))
                  .isInstanceOf(NoSuchFileException.class);
            }
            // All other pages are free, and are not those of what is there.
            write(client, "/a/new", randomBytes(5, (PAGES - 8) * PAGE));
            assertThat(read(client, "/a/b/large")).isEqualTo(randomBytes(1, 7 * PAGE + 5));
            client.delete(PoolPath.of("/a/new"));
          });
    }
    run(
        (server, client) -> {
          client.removeDirectory(PoolPath.of("/a"), true);
          assertThat(server.status().usedBytes()).isZero();
        });
    run((server, client) -> assertThat(server.keptObjects()).isZero());
  }

  @Test
  void whatHasChangedIsLostAndNothingElse() throws Exception {
    run(
        (server, client) -> {
          write(client, "/one", randomBytes(1, 4 * PAGE));
          write(client, "/two", randomBytes(2, 4 * PAGE));
        });
    byte[] last = Arrays.copyOfRange(randomBytes(2, 4 * PAGE), 3 * PAGE, 4 * PAGE);
    changeAByteOf(last);
    run(
        (server, client) -> {
          assertThat(server.lostObjects()).containsExactly("/two");
          assertThat(read(client, "/one")).isEqualTo(randomBytes(1, 4 * PAGE));
          assertThatThrownBy(() -> read(client, "/two")).isInstanceOf(ObjectLostException.class);
          assertThat(server.status().usedBytes()).isEqualTo(4 * PAGE);
          write(client, "/three", randomBytes(3, (PAGES - 4) * PAGE));
        });
    run(
        (server, client) -> {
          assertThat(server.lostObjects()).containsExactly("/two");
          assertThat(read(client, "/three")).isEqualTo(randomBytes(3, (PAGES - 4) * PAGE));
          client.delete(PoolPath.of("/two"));
        });
    run((server, client) -> assertThat(server.lostObjects()).isEmpty());
  }

  @Test
  void pagesThatTheNetworkDoesNotReachGoByMessages() throws Exception {
    runUnregistered(
        (server, client) -> {
          assertThat(server.status().tiers())
              .extracting(ServerStatus.Tier::servedBytes)
              .containsExactly((long) PAGES * PAGE, 0L);
          write(client, "/large", randomBytes(1, 7 * PAGE + 5));
          write(client, "/small", randomBytes(2, 5));
          assertThat(read(client, "/large")).isEqualTo(randomBytes(1, 7 * PAGE + 5));
        });
    Use isThere =
        (server, client) -> {
          assertThat(server.keptObjects()).isEqualTo(2);
          assertThat(read(client, "/large")).isEqualTo(randomBytes(1, 7 * PAGE + 5));
          assertThat(read(client, "/small")).isEqualTo(randomBytes(2, 5));
        };
    runUnregistered(isThere);
    run(isThere);
  }

  private void changeAByteOf(byte[] page) throws IOException {
    Path file = file(".pages");
    byte[] all = Files.readAllBytes(file);
    for (int at = 0; at < all.length; at += PAGE) {
      if (Arrays.equals(all, at, at + PAGE, page, 0, PAGE)) {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
          bytes.seek(at + PAGE / 2);
          bytes.write(~all[at + PAGE / 2]);
        }
        return;
      }
    }
    throw new AssertionError("the page is not in the file");
  }

  private Path file(String end) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      Optional<Path> found = files.filter(file -> file.toString().endsWith(end)).findFirst();
      return found.orElseThrow();
    }
  }

  /** Wherever the last entry breaks off, those before it are there. */
  @Test
  void anEntryThatIsNotWholeIsNone() throws Exception {
    run(
        (server, client) -> {
          write(client, "/one", randomBytes(1, PAGE));
        });
    long one = Files.size(file(".objects"));
    run((server, client) -> write(client, "/two", randomBytes(2, PAGE)));
    byte[] both = Files.readAllBytes(file(".objects"));
    for (int length = (int) one; length < both.length; length += 7) {
      Files.write(file(".objects"), Arrays.copyOf(both, length));
      run(
          (server, client) -> {
            assertThat(server.keptObjects()).isEqualTo(1);
            assertThat(read(client, "/one")).isEqualTo(randomBytes(1, PAGE));
          });
    }
  }

  @Test
  void aListThatIsWrittenAgainAndAgainStaysShort() throws Exception {
    run(
        (server, client) -> {
          write(client, "/stays", randomBytes(1, PAGE));
          // With so long a name the list grows by about 1 kB each time.
          String goes = "/" + "g".repeat(PoolPath.MAX_LENGTH - 1);
          for (int i = 0; i < 2_000; i++) {
            write(client, goes, new byte[0]);
            client.delete(PoolPath.of(goes));
          }
        });
    assertThat(Files.size(file(".objects"))).isLessThan(1_100_000);
    run((server, client) -> assertThat(read(client, "/stays")).isEqualTo(randomBytes(1, PAGE)));
  }

  @Test
  void otherPagesAreRefused() throws Exception {
    run((server, client) -> write(client, "/one", new byte[1]));
    try (Transport transport = TestPool.openTransport()) {
      assertThatThrownBy(() -> PoolServer.start(transport, options(address, directory, PAGES + 1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("give that size, or delete the file");
      PoolServerOptions usual = options(address, directory, PAGES);
      PoolServerOptions small =
          new PoolServerOptions(
              address,
              usual.servers(),
              usual.tiers(),
              PAGE / 2,
              usual.lease(),
              usual.deadline(),
              TOKEN);
      assertThatThrownBy(() -> PoolServer.start(transport, small))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("pages of " + PAGE + " bytes, not of " + PAGE / 2);
      List<ServerAddress> two =
          ServerAddress.inOrder(List.of(address, new ServerAddress("127.0.0.1", 1)));
      assertThatThrownBy(
              () ->
                  new PoolServerOptions(
                      address, two, usual.tiers(), PAGE, usual.lease(), usual.deadline(), TOKEN))
          .hasMessageContaining("kept in pools of one server");
    }
    assertThatThrownBy(() -> TierOptions.dram(PAGE).kept()).hasMessageContaining("only PMEM");
    // Nothing of it has changed what is there.
    run((server, client) -> assertThat(read(client, "/one")).isEqualTo(new byte[1]));
  }

  /** Whenever it is killed, what somebody was told of is there, and nothing is wrong. */
  @Test
  void aKilledServerHasWhatItHasPromised() throws Exception {
    List<Integer> promised = new ArrayList<>();
    int next = 0;
    for (int round = 0; round < 4; round++) {
      try (PoolProcess server =
              PoolProcess.start(
                  KeepingServer.class, address.toString(), directory.toString(), "" + PAGES);
          Transport transport = new TcpTransportProvider().open()) {
        server.awaitReady();
        Thread killer = null;
        try (PoolClient client = connect(transport)) {
          for (int number : promised) {
            assertThat(read(client, "/" + number)).isEqualTo(content(number));
          }
          int before = next;
          while (true) {
            write(client, "/" + next, content(next));
            promised.add(next++);
            if (promised.size() > PAGES / 4) {
              client.delete(PoolPath.of("/" + promised.remove(0)));
            }
            if (next == before + 20) {
              killer = new Thread(() -> kill(server));
              killer.start();
            }
          }
        } catch (IOException killed) {
          assertThat(killer).as(killed.toString()).isNotNull();
        }
        killer.join();
      }
      // Of the one that was being written or deleted nobody knows, but for its bytes.
      next++;
      run(
          (server, client) -> {
            assertThat(server.lostObjects()).isEmpty();
            for (PoolEntry entry : client.list(PoolPath.ROOT)) {
              int number = Integer.parseInt(entry.path().name());
              assertThat(read(client, "/" + number)).isEqualTo(content(number));
              if (!promised.contains(number)) {
                client.delete(entry.path());
              }
            }
          });
    }
  }

  private static byte[] content(int number) {
    return randomBytes(number, 1 + number * 631 % (3 * PAGE));
  }

  private static void kill(PoolProcess server) {
    try {
      server.kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A server in a process of its own. */
  static final class KeepingServer {

    private KeepingServer() {}

    /**
     * Runs it until the process is killed.
     *
     * @param arguments where it listens, where its pages are, how many
     */
    public static void main(String... arguments) throws Exception {
      try (Transport transport = new TcpTransportProvider().open();
          PoolServer server =
              PoolServer.start(
                  transport,
                  options(
                      ServerAddress.parse(arguments[0]),
                      Path.of(arguments[1]),
                      Integer.parseInt(arguments[2])))) {
        System.out.println("ready");
        server.awaitStop();
      }
    }
  }
}
