// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static dev.anemone.rdma.pool.TestPool.PAGE;
import static dev.anemone.rdma.pool.TestPool.randomBytes;
import static dev.anemone.rdma.pool.TestPool.read;
import static dev.anemone.rdma.pool.TestPool.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.transport.Await;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.ForwardingTransport;
import dev.anemone.rdma.transport.MessageHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What goes with a lease, and what keeps it. */
class PoolLeaseTest {

  private static final PoolPath JOBS = PoolPath.of("/jobs");
  private static final int DIRECTORIES = 12;

  /** A transport with an error in it, when that is asked for. */
  private static final class Failing extends ForwardingTransport {
    private final AtomicBoolean fails = new AtomicBoolean();
    private final AtomicBoolean hasFailed = new AtomicBoolean();

    Failing() throws IOException {
      super(TestPool.openTransport());
    }

    @Override
    public Connection connect(InetSocketAddress address, MessageHandler handler, Duration deadline)
        throws IOException {
      if (fails.get()) {
        hasFailed.set(true);
        throw new IllegalStateException("an error of the transport");
      }
      return super.connect(address, handler, deadline);
    }
  }

  @Test
  void anErrorIsNotTheLastHeartbeat() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 4);
        Failing transport = new Failing();
        PoolClient client = PoolClient.connect(transport, pool.options())) {
      transport.fails.set(true);
      pool.stop(0);
      pool.start(0);
      Await.until("a heartbeat has failed", transport.hasFailed::get);

      transport.fails.set(false);

      Await.until("the client is back", () -> pool.server(0).status().clients() == 1);
      write(client, "/object", Lifetime.LEASE, new byte[1]);
    }
  }

  @Test
  void aLeaseOutlivesItsConnection() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 4);
        BreakableTransport transport = BreakableTransport.open();
        PoolClient client = PoolClient.connect(transport, pool.options())) {
      write(client, "/object", Lifetime.LEASE, randomBytes(1, PAGE));
      transport.connections().forEach(Connection::close);
      Await.until("the client is back", () -> transport.connections().size() == 2);
      Await.until("the old connection is gone", () -> pool.server(0).status().clients() == 1);

      write(client, "/after", Lifetime.LEASE, randomBytes(2, PAGE));

      assertThat(read(client, "/object")).isEqualTo(randomBytes(1, PAGE));
    }
  }

  @Test
  void whoDoesNotComeBackLosesItsLease() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 4)) {
      BreakableTransport transport = BreakableTransport.open();
      PoolClient client = PoolClient.connect(transport, pool.options());
      write(client, "/object", Lifetime.LEASE, new byte[PAGE]);
      long begin = System.nanoTime();
      // It says that memory of the client's is registered, and has ended the connection.
      assertThatThrownBy(transport::close).isInstanceOf(IllegalStateException.class);

      pool.awaitUsed(0);

      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isGreaterThan(TestPool.LEASE.minusMillis(100));
      client.close();
    }
  }

  @Test
  void whatHasAnOwnerOutlivesItsWriterAndGoesWithTheOwner() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 60)) {
      UUID lease = UUID.randomUUID();
      PoolClient owner = pool.client(pool.options().withId(lease));
      PoolClient reader = pool.client();
      byte[] bytes = randomBytes(1, 3 * PAGE);
      for (String path : List.of("/first", "/second")) {
        PoolClient writer = pool.client(pool.options().withOwner(lease));
        write(writer, path, Lifetime.LEASE, bytes);
        writer.close();
      }
      assertThat(read(reader, "/first")).isEqualTo(bytes);
      assertThat(read(reader, "/second")).isEqualTo(bytes);

      owner.close();

      pool.awaitUsed(0);
      PoolClient late = pool.client(pool.options().withOwner(lease));
      assertThatThrownBy(() -> write(late, "/late", Lifetime.LEASE, bytes))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("lease of the object's writer is over");
      late.close();
      pool.awaitUsed(0);
    }
  }

  @Test
  void aWriterWaitsForItsOwnerToFindAServerThatCameBack() throws IOException {
    try (TestPool pool = TestPool.ofServers(1, 10)) {
      UUID lease = UUID.randomUUID();
      PoolClient owner = pool.client(pool.options().withId(lease));
      PoolClient writer = pool.client(pool.options().withOwner(lease));
      pool.stop(0);
      pool.start(0);

      write(writer, "/object", Lifetime.LEASE, randomBytes(1, PAGE));

      assertThat(read(owner, "/object")).isEqualTo(randomBytes(1, PAGE));
    }
  }

  @Test
  void directoriesGoWithTheirOwner() throws IOException {
    try (TestPool pool = TestPool.ofServers(3, 60)) {
      UUID lease = UUID.randomUUID();
      PoolClient owner = pool.client(pool.options().withId(lease));
      PoolClient member = pool.client(pool.options().withOwner(lease));
      PoolClient other = pool.client();
      // Enough of them that names and tables lie on all servers.
      for (int i = 0; i < DIRECTORIES; i++) {
        PoolPath directory = JOBS.child("owned" + i);
        member.createDirectory(directory, Lifetime.LEASE);
        write(member, directory.child("object").value(), Lifetime.LEASE, new byte[PAGE]);
        member.createDirectory(directory.child("inner"), Lifetime.LEASE);
      }
      other.createDirectory(JOBS.child("kept"));
      // A copy of the names knows the owners, too.
      pool.stop(0);
      pool.start(0);

      owner.close();

      Await.until("only the other directory is there", () -> names(other).equals(List.of("kept")));
      pool.awaitUsed(0);
      for (int i = 0; i < DIRECTORIES; i++) {
        PoolPath directory = JOBS.child("owned" + i);
        for (PoolPath table : List.of(directory, directory.child("inner"))) {
          Await.until(table + " has no table", () -> isMissing(other, table));
        }
        other.createDirectory(directory);
        write(other, directory.child("mine").value(), Lifetime.LEASE, new byte[1]);
      }
      other.removeDirectory(JOBS, true);
    }
  }

  @Test
  void aDirectoryWithAnOwnerTakesNothingThatStays() throws IOException {
    try (TestPool pool = TestPool.ofServers(2, 20)) {
      PoolClient owner = pool.client();
      PoolClient other = pool.client();
      owner.createDirectory(JOBS, Lifetime.LEASE);

      assertThatThrownBy(() -> write(owner, "/jobs/stays", Lifetime.POOL, new byte[1]))
          .hasMessageContaining("/jobs goes with the lease of client " + owner.id());
      assertThatThrownBy(() -> write(other, "/jobs/other", Lifetime.LEASE, new byte[1]))
          .hasMessageContaining("/jobs goes with the lease of client " + owner.id());
      assertThatThrownBy(() -> owner.createDirectory(JOBS.child("stays")))
          .hasMessageContaining("/jobs goes with the lease of client " + owner.id());
      assertThat(owner.list(JOBS)).isEmpty();
      pool.awaitUsed(0);
    }
  }

  private static List<String> names(PoolClient client) {
    try {
      return client.list(JOBS).stream().map(entry -> entry.path().name()).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isMissing(PoolClient client, PoolPath directory) {
    try {
      return client.list(directory) == null;
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
