// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static dev.anemone.rdma.pool.TestPool.PAGE;
import static dev.anemone.rdma.pool.TestPool.randomBytes;
import static dev.anemone.rdma.pool.TestPool.read;
import static dev.anemone.rdma.pool.TestPool.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pool.client.ObjectSettings;
import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.transport.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Servers that join a pool which is in use, and leave it. */
class ServersComeAndGoTest {

  private static final ObjectSettings KEPT = ObjectSettings.of(Lifetime.POOL);
  private static final int DIRECTORIES = 12;

  /** Completes when a server wants to be closed. */
  private static CompletableFuture<Void> end(PoolServer server) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            server.awaitStop();
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static PoolPath directory(int number) {
    return PoolPath.of("/d" + number);
  }

  private static boolean isThere(PoolClient client, PoolPath path) {
    try {
      return client.list(path.parent()).stream().anyMatch(entry -> entry.path().equals(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aServerThatIsNamedAndStartedLaterIsUsedByClientsThatRun() throws IOException {
    try (TestPool pool = TestPool.ofServers(3, 20)) {
      pool.stop(2);
      PoolClient client = pool.client();
      write(client, "/before", Lifetime.LEASE, new byte[6 * PAGE]);
      ServerAddress added = pool.addresses().get(2);
      assertThat(client.getAttributes(PoolPath.of("/before")).servers()).doesNotContain(added);

      pool.start(2);

      Await.until(
          "new objects lie on the new server, too",
          () -> {
            try {
              write(client, "/after", Lifetime.LEASE, randomBytes(1, 6 * PAGE));
              boolean used = client.getAttributes(PoolPath.of("/after")).servers().contains(added);
              assertThat(read(client, "/after")).isEqualTo(randomBytes(1, 6 * PAGE));
              client.delete(PoolPath.of("/after"));
              return used;
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }

  @Test
  void aServerThatIsDrainedGetsNothingAndEndsWhenItHasNothing() throws Exception {
    try (TestPool pool = TestPool.ofServers(3, 40)) {
      PoolClient client = pool.client();
      ServerAddress drained = pool.addresses().get(1);
      PoolServer server = pool.server(1);
      CompletableFuture<Void> end = end(server);
      write(client, "/before", Lifetime.LEASE, randomBytes(1, 9 * PAGE));
      ObjectWriter begun = client.create(PoolPath.of("/begun"), Lifetime.LEASE);
      begun.write(ByteBuffer.wrap(randomBytes(2, 6 * PAGE)));
      assertThatThrownBy(() -> client.drain(drained, TestPool.TOKEN))
          .isInstanceOf(AccessRefusedException.class);

      client.drain(drained, TestPool.OPERATOR);

      begun.commit();
      PoolClient fresh = pool.client();
      for (PoolClient any : List.of(client, fresh)) {
        String large = "/large" + any.id();
        write(any, large, Lifetime.LEASE, randomBytes(3, 6 * PAGE));
        assertThat(any.getAttributes(PoolPath.of(large)).servers()).doesNotContain(drained);
        for (int i = 0; i < DIRECTORIES; i++) {
          any.createDirectory(directory(i));
          PoolPath small = directory(i).child("small" + any.id());
          assertThat(any.put(small, ByteBuffer.wrap(new byte[] {(byte) i}), KEPT).servers())
              .doesNotContain(drained);
        }
      }
      assertThat(client.status().get(1).state()).isEqualTo(ServerStatus.State.DRAINING);
      assertThat(read(fresh, "/before")).isEqualTo(randomBytes(1, 9 * PAGE));
      client.delete(PoolPath.of("/before"));
      assertThat(read(fresh, "/begun")).isEqualTo(randomBytes(2, 6 * PAGE));
      assertThat(end).as("it still has pages").isNotDone();
      client.delete(PoolPath.of("/begun"));

      end.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);

      pool.stop(1);
      for (int i = 0; i < DIRECTORIES; i++) {
        assertThat(client.list(directory(i))).hasSize(2);
        PoolPath small = directory(i).child("small" + fresh.id());
        assertThat(client.get(small)).isEqualTo(ByteBuffer.wrap(new byte[] {(byte) i}));
        client.removeDirectory(directory(i), true);
      }
    }
  }

  @Test
  void aServerThatAloneKnowsNamesDoesNotEnd() throws Exception {
    try (TestPool pool = TestPool.ofServers(2, 4)) {
      PoolClient client = pool.client();
      CompletableFuture<Void> end = end(pool.server(1));
      client.createDirectory(directory(0));
      pool.stop(0);

      client.drain(pool.addresses().get(1), TestPool.OPERATOR);

      // Who takes the second one away has looked whether the server can end before.
      for (int seconds = 1; seconds <= 2; seconds++) {
        PoolPath timed = directory(0).child("for" + seconds);
        ObjectSettings settings = KEPT.withKeep(Duration.ofSeconds(seconds));
        client.put(timed, ByteBuffer.allocate(0), settings);
      }
      Await.until("the first has gone", () -> !isThere(client, directory(0).child("for1")));
      Await.until("the second has gone", () -> !isThere(client, directory(0).child("for2")));
      assertThat(end).isNotDone();

      pool.start(0);

      end.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      pool.stop(1);
      client.removeDirectory(directory(0), false);
    }
  }
}
